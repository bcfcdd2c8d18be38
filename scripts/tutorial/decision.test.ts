import { expect, test } from 'vitest'
import { shareKit } from '../../tests/support/kit.ts'
import { listed, read, sends } from '../../tests/support/lesson.ts'
import { temporaryFolder } from '../../tests/support/probe.ts'

const approval = '07-auth-required'

const kit = shareKit()

/** The environment of a reader beside whom a kit runs. */
const besideKit = async () => ({ ...kit(), DATA_DIR: await temporaryFolder() })

test.each(['a key', 'the page of the approval'])(
  'whoever denies by %s where the capture approves sees what comes, and is not done',
  async (how) => {
    const env = await besideKit()
    const { done, text, press, sees } = read(approval, { env })
    await sees(sends)
    press('\r')
    await sees('d to deny')
    press('\r')
    await sees('That key does nothing here. [a to approve, d to deny, q to leave]')
    const [, page] = /curl -X POST (\S+)/.exec(text())!
    expect(text()).toContain(`2/2  operator → deployer  POST /approve/…${page!.slice(-8)} `)
    if (how === 'a key') press('d')
    else await fetch(page!.replace('/approve/', '/deny/'), { method: 'POST' })
    await done
    expect(text()).toMatch(/It is denied\.[\s\S]*"TASK_STATE_REJECTED"[\s\S]*That was your way through 07/)
    expect(text()).not.toContain('"outcome": "approved"')
    expect(text()).not.toContain('The task goes on by itself')
    expect(listed(env)).toMatch(/07 {2}An approval arrives outside the protocol$/m)
  },
)

test('a denial while the tutorial was left ends it too', async () => {
  const env = await besideKit()
  const before = read(approval, { env })
  await before.sees(sends)
  before.press('\r')
  await before.sees('d to deny')
  before.press('q')
  await before.done
  const [, page] = /curl -X POST (\S+)/.exec(before.text())!
  await fetch(page!.replace('/approve/', '/deny/'), { method: 'POST' })

  const after = read(approval, { env })
  await after.done
  expect(after.text()).toMatch(/It is denied\.[\s\S]*"TASK_STATE_REJECTED"/)
})
