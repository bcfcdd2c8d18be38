import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareKit } from '../../tests/support/kit.ts'
import { besideNothing, listed, read, sends } from '../../tests/support/lesson.ts'
import { temporaryFolder } from '../../tests/support/probe.ts'
import { captureFolder } from './library.ts'

const question = '06-input-required'
const approval = '07-auth-required'
const deliveries = '13-push-notifications'
const kit = shareKit()

/** The environment of a reader beside whom a kit runs. */
const besideKit = async () => ({ ...kit(), DATA_DIR: await temporaryFolder() })

test('each request is shown and sent at a key press, and its answer stands with what is recorded', async () => {
  const env = await besideKit()
  const { done, text, press, sees } = read(question, { env })
  await sees(sends)
  expect(text()).toContain('The planner asks for a review')
  expect(text()).toContain('"method": "SendMessage"')
  expect(text()).not.toContain('TASK_STATE_COMPLETED')
  press('\r')
  await sees(sends, 2)
  expect(text()).toContain('"state": "TASK_STATE_INPUT_REQUIRED"')
  expect(text()).toMatch(
    /recorded for lines with ~, if not listed before:[\s\S]*"id": "e5c95b09-6d4b-4b3b-8693-91e81472d12f"/,
  )
  press('\r')
  await done
  expect(text()).toContain('→ The same task, completed.')
  expect(text()).toContain('That was 06')
  expect(text()).toContain('Next: `npm run tutorial -- 07`, An approval arrives outside the protocol.')
  expect(text()).not.toMatch(/^≠/m)
  expect(listed(env)).toMatch(/06 {2}A question is answered on the task {2}\(done\)/)
})

test('two sides stand beside each other where there is room', async () => {
  const env = await besideKit()
  const { done, text, press, sees } = read(question, { env, columns: 140 })
  for (let nth = 1; nth <= 2; nth++) {
    await sees(sends, nth)
    press(' ')
  }
  await done
  expect(text()).toMatch(/^~ +"contextId": "[-0-9a-f]{36}",? +│ +"contextId": "49c5a238-[-0-9a-f]{27}",?$/m)
  const widest = Math.max(
    ...text()
      .split('\n')
      .map((line) => line.length),
  )
  expect(widest).toBeLessThanOrEqual(140)
})

test('a tutorial that is left at the approval goes on there, on the agents’ data, and hears of an approval by curl', async () => {
  const env = await besideNothing()
  const before = read(approval, { env })
  await before.sees(sends)
  before.press('\r')
  await before.sees('With curl')
  before.press('q')
  await before.done
  expect(before.text()).toContain('Left. `npm run tutorial -- 07` goes on from here.')
  expect(listed(env)).toContain('(at 2 of 2)')

  const after = read(approval, { env })
  await after.sees('You left before exchange 2: it goes on there.')
  await after.sees('With curl')
  const [, url] = /curl -X POST (\S+)/.exec(after.text())!
  expect(before.text()).toContain(`curl -X POST ${url}`)
  await fetch(url!, { method: 'POST' })
  await after.done
  expect(after.text()).toContain('It has arrived.')
  expect(after.text()).not.toContain('frame 3 of 6')
  expect(after.text()).toMatch(/frame 4 of 6[\s\S]*frame 6 of 6[\s\S]*TASK_STATE_COMPLETED/)
  expect(after.text()).not.toMatch(/^≠/m)
  expect(listed(env)).toMatch(/07 .*\(done\)/)
})

test('what a webhook received while nobody read is there the next time', async () => {
  const env = await besideNothing()
  const shows = '[Enter shows it, q leaves]'
  const before = read(deliveries, { env })
  await before.sees(sends)
  before.press('\r')
  await before.sees(shows)
  before.press('q')
  await before.done

  const after = read(deliveries, { env })
  for (let nth = 1; nth <= 4; nth++) {
    await after.sees(shows, nth)
    after.press('\r')
  }
  await after.sees(sends)
  expect(after.text()).toMatch(/with 503\.[\s\S]*with 204\.[\s\S]*TASK_STATE_AUTH_REQUIRED/)
  expect(after.text()).not.toMatch(/^≠/m)
})

test('a key approves, and --again begins anew', async () => {
  const env = await besideKit()
  const left = read(approval, { env })
  await left.sees(sends)
  left.press('\r')
  await left.sees('With curl')
  left.press('\u0003')
  await left.done

  const { done, text, press, sees } = read(approval, { env, again: true })
  await sees(sends)
  press('\r')
  await sees('press a to approve')
  press('a')
  await done
  expect(text()).toContain('"outcome": "approved"')
  expect(text()).toContain('That was 07')

  const more = read(approval, { env })
  await more.sees(sends)
  more.press('q')
  await more.done
  expect(listed(env)).toContain('(done, and again at 1 of 2)')
})

test('without a terminal everything goes on by itself, without colours', async () => {
  const { done, text, colours } = read(approval, { env: await besideKit(), isTTY: false })
  await done
  expect(text()).toContain('"outcome": "approved"')
  expect(colours()).toBe(false)
})

test('what is not as recorded is marked, and the play goes on', async () => {
  const folder = await temporaryFolder()
  cpSync(captureFolder, folder, { recursive: true })
  const file = join(folder, `${question}.http`)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"additions": 1', '"additions": 2'))
  const { done, text } = read(question, { env: await besideKit(), folder, isTTY: false })
  await done
  expect(text()).toMatch(/^≠ +"additions": 1,\n- +"additions": 2,$/m)
  expect(text()).toContain('npm run tutorial -- --check 06')
})

test('a key that is pressed before a question does not answer it, and one that does nothing is told so', async () => {
  const { text, press, sees } = read(question, { env: await besideKit() })
  press('\r')
  await sees(sends)
  press('x')
  await sees('That key does nothing here.')
  expect(text()).not.toContain('200 OK')
  press('\r\r') // pressed twice
  await sees(sends, 3)
  expect(text()).not.toContain('TASK_STATE_COMPLETED')
})

test('Ctrl-C leaves while nothing is asked', async () => {
  const { done, text, press, sees } = read(approval, { env: await besideNothing() })
  await sees('the deployer starts')
  press('\u0003')
  await done
  expect(text()).not.toContain(sends)
})

test('the agents are named before the first request, and --own takes none that run', async () => {
  const env: NodeJS.ProcessEnv = { ...(await besideKit()), PATH: process.env.PATH }
  const others = read(question, { env })
  await others.sees(sends)
  const reviewer = `http://localhost:${env.CODE_REVIEWER_PORT}`
  expect(others.text()).toMatch(new RegExp(`agents that run already.*${reviewer}.*── 1/2`, 's'))
  others.press('q')
  await others.done

  const { text, sees } = read(question, { env, own: true })
  await sees(sends)
  expect(text()).toContain('Played against agents that were started for it')
  expect(text()).toContain('so it begins again.')
  expect(text()).not.toContain(reviewer)
})

test('an agent that ran already is not started again where the capture did that', async () => {
  const { done, text } = read('11-resubscribe', { env: await besideKit(), isTTY: false })
  await done
  expect(text()).toMatch(/not the tutorial’s to stop, so here\s+it runs on\.[\s\S]*That was 11/)
  expect(text()).not.toMatch(/^≠/m)
})
