// Streams (§3.1.2, §3.1.6, §3.5.2): their order, their ends, and each for itself.
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { operate } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { expectRefusal } from './support/refusals.ts'
import { shareProbe } from './support/shared-probe.ts'
import { allFrames, framesUntil } from './support/sse.ts'

const shared = shareProbe()

/** What an event says: the text of its status or artifact. */
const words = ({ statusUpdate, artifactUpdate }: StreamResponse): string | undefined =>
  (statusUpdate?.status.message ?? artifactUpdate?.artifact)?.parts[0]?.text

describe.each(bindings)('over %s', (binding) => {
  const probe = () => shared.probe

  test('events come while the work goes on, each as it happens [CORE-STREAM-001]', async () => {
    const gates = [gate(), gate(), gate()]
    const agent = testAgent(async (task) => {
      for (const [nth, { pass }] of gates.entries()) {
        await task.step(`step ${nth}`, pass)
        await task.working(`step ${nth} is done`)
      }
    })
    const alone = await startProbe({ agent })
    const stream = await alone.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
    expect((await stream.frames.next()).value.task.status.state).toBe('TASK_STATE_SUBMITTED')
    for (const [nth, { entered, open }] of gates.entries()) {
      await entered
      open()
      expect(words((await stream.frames.next()).value)).toBe(`step ${nth} is done`)
    }
    expect((await allFrames(stream)).map((frame) => frame.statusUpdate?.status.state)).toEqual([
      'TASK_STATE_COMPLETED',
    ])
  })

  test('a hundred events arrive in the order in which they were made, on every stream [STREAM-ORDER-001] [STREAM-ORDER-002] [STREAM-ORDER-003]', async () => {
    const begin = gate()
    const agent = testAgent(async (task) => {
      await task.step('begin', begin.pass)
      for (let nth = 0; nth < 100; nth += 1) {
        if (nth % 3 === 0) await task.working(`${nth}`)
        else await task.artifact({ name: 'a', text: `${nth}` })
      }
    })
    const alone = await startProbe({ agent })
    const own = await alone.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
    const { id } = (await own.frames.next()).value.task
    const others = await Promise.all([1, 2, 3].map(() => alone.stream(binding, 'SubscribeToTask', { id })))
    for (const { frames } of others) expect((await frames.next()).value.task.id).toBe(id)
    begin.open()
    const [first, ...rest] = await Promise.all([own, ...others].map(allFrames))
    expect(first!.slice(0, -1).map(words)).toEqual(Array.from({ length: 100 }, (_, nth) => `${nth}`))
    expect(first!.at(-1)!.statusUpdate!.status.state).toBe('TASK_STATE_COMPLETED')
    for (const other of rest) expect(other).toEqual(first)
  })

  test('a stream that is closed leaves the others and the task alone [STREAM-ORDER-004]', async () => {
    const message = userMessage('authorize cleanup; artifact a b')
    const own = await probe().stream(binding, 'SendStreamingMessage', { message })
    const { id } = (await framesUntil(own, 'TASK_STATE_AUTH_REQUIRED'))[0]!.task!
    const [leaving, staying] = await Promise.all(
      [1, 2].map(() => probe().stream(binding, 'SubscribeToTask', { id })),
    )
    for (const { frames } of [leaving!, staying!]) await frames.next()
    own.close()
    leaving!.close()
    expect((await operate(probe(), 'approve', id)).status).toBe(200)
    const kinds = (await allFrames(staying!)).map(
      (frame) => frame.statusUpdate?.status.state ?? frame.artifactUpdate?.artifact.name,
    )
    expect(kinds).toEqual(['TASK_STATE_WORKING', 'decision', 'a', 'TASK_STATE_COMPLETED'])
  })

  test.each([
    ['COMPLETED', 'complete', 'approve'],
    ['FAILED', 'fail no', 'approve'],
    ['REJECTED', 'complete', 'deny'],
    ['CANCELED', 'complete', 'cancel'],
  ] as const)(
    'a stream and a subscription end once their task is in %s, and no subscription begins then [CORE-STREAM-003] [STREAM-SUB-002] [STREAM-SUB-003]',
    async (state, script, decision) => {
      const message = userMessage(`working; authorize cleanup; ${script}`)
      const own = await probe().stream(binding, 'SendStreamingMessage', { message })
      const begun = await framesUntil(own, 'TASK_STATE_AUTH_REQUIRED')
      const { id } = begun[0]!.task!
      const watched = await probe().stream(binding, 'SubscribeToTask', { id })
      expect((await watched.frames.next()).value.task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
      if (decision === 'cancel') await probe().call(binding, 'CancelTask', { id })
      else await operate(probe(), decision, id)
      const [rest, seen] = await Promise.all([own, watched].map(allFrames))
      expect(rest).toEqual(seen)
      expect(rest!.at(-1)!.statusUpdate!.status.state).toBe(`TASK_STATE_${state}`)
      // After the task itself, updates alone.
      expect(
        begun
          .slice(1)
          .concat(rest!)
          .some((frame) => frame.task ?? frame.message),
      ).toBe(false)
      expectRefusal(await probe().call(binding, 'SubscribeToTask', { id }), binding, 'UNSUPPORTED_OPERATION')
    },
  )

  test('a stream that answers with a message has that alone [CORE-STREAM-002]', async () => {
    const message = userMessage('reply Hello.')
    const frames = await allFrames(await probe().stream(binding, 'SendStreamingMessage', { message }))
    expect(frames.map(({ message: one, ...rest }) => [one?.parts, rest.task])).toEqual([
      [[{ text: 'Hello.' }], undefined],
    ])
  })
})
