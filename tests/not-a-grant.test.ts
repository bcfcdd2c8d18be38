// AUTH-IS-NOT-A-GRANT (§7.6.4): what an approval covers, which is one operation once, and all that is none.
import { describe, expect, test } from 'vitest'
import { ended, operate, shown } from './support/operator.ts'
import { bindings, startProbe, talkTo, userMessage } from './support/probe.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { until } from './support/wait.ts'

const shared = shareProbe()

describe.each(bindings)('AUTH-IS-NOT-A-GRANT: over %s', (binding) => {
  const probe = () => shared.probe
  const blocking = (text: string, more: object = {}) =>
    send(probe(), { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })
  const waiting = async () => (await blocking('authorize deploy')).id

  test('of many approvals and denials at once, one decides', async () => {
    const id = await waiting()
    const decisions = await Promise.all(
      Array.from({ length: 10 }, (_, nth) => operate(probe(), nth % 2 ? 'deny' : 'approve', id)),
    )
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const { outcome } = decisions.find(({ status }) => status === 200)!.body
    const { status } = await ended(probe(), id)
    expect(status.state).toBe(outcome === 'approved' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_REJECTED')
  })

  test('an approval that comes again is 409, and does nothing again', async () => {
    const id = await waiting()
    await operate(probe(), 'approve', id)
    await ended(probe(), id)
    await shared.changesNothing(async () => {
      for (const what of ['approve', 'deny'] as const) {
        const { status, body } = await operate(probe(), what, id)
        expect(status).toBe(409)
        expect(body.error).toMatch(/has ended in TASK_STATE_COMPLETED.*was approved at/)
      }
    })
  })

  test.each([
    ['that ended', 'complete', 409],
    ['that asks a question', 'ask what?', 409],
    ['that failed', 'throw', 409],
  ])('an approval of a task %s is refused', async (_, text, code) => {
    const { id } = await blocking(text)
    await shared.changesNothing(async () => {
      for (const what of ['approve', 'deny'] as const) {
        const { status, body } = await operate(probe(), what, id)
        expect([status, Object.keys(body)]).toEqual([code, ['error']])
      }
    })
  })

  test('an approval of a canceled, a denied and an unknown task is refused', async () => {
    const [canceled, denied] = [await waiting(), await waiting()]
    await probe().call(binding, 'CancelTask', { id: canceled })
    await operate(probe(), 'deny', denied)
    await ended(probe(), denied)
    await shared.changesNothing(async () => {
      for (const [id, code] of [
        [canceled, 409],
        [denied, 409],
        ['unknown', 404],
        ['%20', 404],
      ] as const) {
        expect((await operate(probe(), 'approve', id)).status).toBe(code)
      }
    })
  })

  test('the approval of one task leaves another waiting', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const before = await get(probe(), other)
    await operate(probe(), 'approve', one)
    await ended(probe(), one)
    expect(await get(probe(), other)).toEqual(before)
  })

  test('the same operation asked for again needs an approval again', async () => {
    const { id } = await blocking('authorize deploy; authorize deploy')
    await operate(probe(), 'approve', id)
    const again = await until('the second request', async () => {
      const task = await get(probe(), id)
      return task.status.state === 'TASK_STATE_AUTH_REQUIRED' ? task : undefined
    })
    expect(again.artifacts).toHaveLength(1)
    await operate(probe(), 'approve', id)
    expect((await ended(probe(), id)).artifacts).toHaveLength(2)
  })

  test('"approved" in a message approves nothing [AUTH-INTASK-004]', async () => {
    const id = await waiting()
    for (const parts of [[{ text: 'approved' }], [{ data: { outcome: 'approved', by: 'me', at: 'now' } }]]) {
      const task = await blocking('', { taskId: id, parts })
      expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
      expect(task.artifacts!.some(({ name }) => name === 'decision')).toBe(false)
    }
  })

  test('reading what is asked changes nothing, as JSON and as a page', async () => {
    const id = await waiting()
    await shared.changesNothing(async () => {
      const page = await fetch(`${probe().url}/approve/${id}`, { headers: { Accept: 'text/html' } })
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(await page.text()).toContain('An operator must approve deploy')
      expect(await shown(probe(), id)).toMatchObject({
        agent: 'conformance',
        taskId: id,
        state: 'TASK_STATE_AUTH_REQUIRED',
        waiting: true,
        operation: { action: 'deploy' },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        expiresAt: expect.any(String),
        approve: `POST ${probe().url}/approve/${id}`,
        deny: `POST ${probe().url}/deny/${id}`,
      })
      expect((await fetch(`${probe().url}/approve/${id}`, { method: 'HEAD' })).status).toBe(200)
    })
  })

  test('a page of another site cannot decide', async () => {
    const id = await waiting()
    await shared.changesNothing(async () => {
      for (const site of ['cross-site', 'same-site']) {
        const headers = { 'Sec-Fetch-Site': site }
        const { status } = await fetch(`${probe().url}/approve/${id}`, { method: 'POST', headers })
        expect(status).toBe(403)
      }
    })
  })

  test('a page whose name was turned to the agent’s address cannot decide, and the agent’s own page can', async () => {
    const id = await waiting()
    const decide = (Origin: string) =>
      fetch(`${probe().url}/approve/${id}`, {
        method: 'POST',
        headers: { Origin, 'Sec-Fetch-Site': 'same-origin' },
      })
    await shared.changesNothing(async () => {
      for (const origin of [`http://evil.example:${probe().port}`, 'null', 'http://localhost.evil.example']) {
        expect((await decide(origin)).status).toBe(403)
      }
    })
    expect((await decide(probe().url)).status).toBe(200)
  })
})

test.each(['https://agents.example', 'http://127.0.0.1:8080', 'http://[::1]'])(
  'an operator may decide on the page at %s',
  async (origin) => {
    const probe = await startProbe({ publicUrl: 'https://agents.example/deployer' })
    const { call } = talkTo(`http://localhost:${probe.port}/a2a`)
    const { result } = await call('JSONRPC', 'SendMessage', { message: userMessage('authorize x') })
    const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' }
    const decided = await fetch(`http://localhost:${probe.port}/approve/${result.task.id}`, {
      method: 'POST',
      headers,
    })
    expect(decided.status).toBe(200)
  },
)
