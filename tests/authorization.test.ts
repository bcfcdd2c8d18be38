// AUTH-REQUIRED (§7.6): a task that waits for an approval can be canceled, talked to, approved, denied, and can expire.
import { defineAgent, realWorld, textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { ended, operate, shown } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { get, send } from './support/send.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames } from './support/sse.ts'

const shared = shareProbe()

describe.each(bindings)('over %s', (binding) => {
  const probe = () => shared.probe
  const blocking = (text: string, more: object = {}) =>
    send(probe(), { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })
  const waiting = async () => (await blocking('authorize deploy')).id
  const subscribed = async (id: string) => {
    const stream = await probe().stream(binding, 'SubscribeToTask', { id })
    const { value } = await stream.frames.next()
    expect(value.task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    return { rest: allFrames(stream) }
  }

  test('AUTH-TREATED-AS-TERMINAL: a waiting task can be canceled', async () => {
    const id = await waiting()
    const { rest } = await subscribed(id)
    const { result } = await probe().call(binding, 'CancelTask', { id })
    expect(result.status.state).toBe('TASK_STATE_CANCELED')
    expect((await rest).at(-1)!.statusUpdate!.status).toEqual(result.status)
  })

  test('AUTH-TREATED-AS-TERMINAL: a waiting task takes a message, and then an approval [AUTH-INTASK-006]', async () => {
    const id = await waiting()
    const { rest } = await subscribed(id)
    const noted = await blocking('wrong region', { taskId: id })
    expect(noted.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    expect(noted.artifacts!.map((artifact) => textOf(artifact))).toEqual(['wrong region'])
    expect((await operate(probe(), 'approve', id)).status).toBe(200)
    expect((await rest).at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('AUTH-BLOCKING-THEN-CONTINUES: with nobody watching, an approved task goes on to its end', async () => {
    const id = await waiting()
    const { body } = await operate(probe(), 'approve', id)
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(body).toEqual({ taskId: id, outcome: 'approved', by: 'operator', at: expect.any(String), digest })
    const task = await ended(probe(), id)
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    const { taskId: _, ...decision } = body
    expect(task.artifacts![0]!.parts[0]!.data).toEqual(decision)
  })

  test('a message while it waits leaves the request as it was: the same digest and expiry', async () => {
    const id = await waiting()
    const before = await shown(probe(), id)
    await blocking('also deploy production', { taskId: id })
    expect(await shown(probe(), id)).toEqual(before)
    const { status } = await operate(probe(), 'approve', id, { digest: before.digest })
    expect(status).toBe(200)
  })

  test('a decision for another digest than the open one is refused', async () => {
    const id = await waiting()
    await shared.changesNothing(async () => {
      for (const digest of ['0'.repeat(64), '']) {
        expect((await operate(probe(), 'approve', id, { digest })).status).toBe(409)
      }
    })
  })

  test.each([
    { digest: 123 },
    { digest: ['a'] },
    { digest: null },
    { reason: { a: 1 } },
    { reason: '\ud800' },
    { reason: 'x'.repeat(2001) },
    { reason: 'fine', digset: '0'.repeat(64) },
    [1],
  ])('a decision that cannot be read as it is meant is refused: %j', async (body) => {
    const id = await waiting()
    await shared.changesNothing(async () => {
      for (const verb of ['approve', 'deny'] as const) {
        expect((await operate(probe(), verb, id, body)).status).toBe(400)
      }
    })
  })

  test.each(['Digest=', 'digest[]=', 'digset=', 'x&digest='])(
    'an address that says something else than a digest decides nothing: ?%s',
    async (name) => {
      const id = await waiting()
      const { digest } = await shown(probe(), id)
      await shared.changesNothing(async () => {
        for (const verb of ['approve', 'deny'] as const) {
          expect((await operate(probe(), verb, `${id}?${name}${digest}`)).status).toBe(400)
        }
      })
    },
  )

  test.each([
    ['a reason', { reason: ' wrong region ' }, 'wrong region'],
    ['no reason', undefined, 'no reason was given'],
    ['an empty reason', { reason: ' ' }, 'no reason was given'],
  ])('a denial with %s ends the task REJECTED and says why', async (_, body, words) => {
    const id = await waiting()
    const { rest } = await subscribed(id)
    expect((await operate(probe(), 'deny', id, body)).body).toMatchObject({
      outcome: 'denied',
      reason: words,
    })
    const task = await ended(probe(), id)
    expect(task.status).toMatchObject({ state: 'TASK_STATE_REJECTED', message: { parts: [{ text: words }] } })
    expect((await rest).at(-1)!.statusUpdate!.status).toEqual(task.status)
  })

  test('a message to a task whose decision was taken is refused', async () => {
    const id = await waiting()
    await operate(probe(), 'deny', id)
    const answer = await probe().call(binding, 'SendMessage', {
      message: userMessage('late', { taskId: id }),
    })
    expectRefusal(answer, binding, 'UNSUPPORTED_OPERATION')
  })
})

test('another operation after a message voids the request before it [AUTH-INTASK-006]', async () => {
  const agent = defineAgent({
    card: {
      name: 'changing',
      description: '-',
      version: '1',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: [],
      skills: [],
    },
    async run(task) {
      let region = textOf(task.message)
      for (;;) {
        const operation = { deploy: region }
        const decision = await task.authorize({ operation, explain: () => `Deploy to ${region}?` })
        if (decision.outcome !== 'message') return `${decision.outcome} ${region}`
        region = textOf(decision.message)
      }
    },
  })
  let ahead = 0
  const probe = await startProbe({ agent, world: { ...realWorld, now: () => Date.now() + ahead } })
  const way = { binding: 'JSONRPC', operation: 'SendMessage' } as const
  const { id } = await send(probe, way, { message: userMessage('north') })
  const north = await shown(probe, id)
  await send(probe, way, { message: userMessage('south', { taskId: id }) })
  const south = await shown(probe, id)
  expect([north.operation, south.operation]).toEqual([{ deploy: 'north' }, { deploy: 'south' }])
  expect(south.digest).not.toBe(north.digest)
  const { status, body } = await operate(probe, 'approve', id, { digest: north.digest })
  expect([status, body.error]).toEqual([409, expect.stringContaining('changed')])
  // Back to the first operation: what was voided is asked for anew.
  ahead = 3600_000
  await send(probe, way, { message: userMessage('north', { taskId: id }) })
  const again = await shown(probe, id)
  expect(again.digest).toBe(north.digest)
  expect(
    Date.parse(again.expiresAt as string) - Date.parse(north.expiresAt as string),
  ).toBeGreaterThanOrEqual(ahead)
  expect((await operate(probe, 'approve', id, { digest: south.digest })).status).toBe(409)
  expect((await operate(probe, 'approve', id, { digest: north.digest })).status).toBe(200)
  expect(textOf((await ended(probe, id)).status.message)).toBe('approved north')
})

test('an approval that comes too late is 410, and changes nothing', async () => {
  let ahead = 0
  const probe = await startProbe({ world: { ...realWorld, now: () => Date.now() + ahead } })
  const message = userMessage('authorize deploy')
  const { id, status } = await send(probe, { binding: 'JSONRPC', operation: 'SendMessage' }, { message })
  ahead = 25 * 3600 * 1000
  expect((await operate(probe, 'approve', id)).status).toBe(410)
  expect((await get(probe, id)).status).toEqual(status)
})

test('a message does not prolong the wait for an approval', async () => {
  let ahead = 0
  const probe = await startProbe({ world: { ...realWorld, now: () => Date.now() + ahead } })
  const way = { binding: 'JSONRPC', operation: 'SendMessage' } as const
  const { id } = await send(probe, way, { message: userMessage('authorize deploy') })
  ahead = 24 * 3600_000 - 300
  await send(probe, way, { message: userMessage('still there?', { taskId: id }) })
  expect(textOf((await ended(probe, id)).status.message)).toBe('Nobody approved in time.')
})

test('a request that expires and a question that nobody answers end their tasks FAILED', async () => {
  const probe = await startProbe({ settings: { approvalTtl: 1, inputTtl: 1 } })
  const way = { binding: 'JSONRPC', operation: 'SendMessage' } as const
  const made = await Promise.all(
    ['authorize deploy', 'ask what?'].map((text) => send(probe, way, { message: userMessage(text) })),
  )
  const [expired, unanswered] = await Promise.all(made.map(({ id }) => ended(probe, id)))
  expect([expired!.status.state, textOf(expired!.status.message)]).toEqual([
    'TASK_STATE_FAILED',
    'Nobody approved in time.',
  ])
  expect([unanswered!.status.state, textOf(unanswered!.status.message)]).toEqual([
    'TASK_STATE_FAILED',
    'Nobody answered the question in time.',
  ])
})
