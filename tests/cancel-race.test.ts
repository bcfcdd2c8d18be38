// However a cancel and a result race, a task has one end, and everybody sees the same.
import { setTimeout as pause } from 'node:timers/promises'
import { isTerminal, type TaskState } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type Answer, type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { seeded } from './support/random.ts'
import { expectRefusal } from './support/refusals.ts'
import { allFrames, type Frame } from './support/sse.ts'

const rounds = 200
const atOnce = 20
/** The longest that a result or a cancel is held back, in ms. */
const longest = 20
const stateOf = (frame: Frame) => (frame.statusUpdate ?? frame.task)?.status.state as TaskState | undefined

test(`CANCEL-THEN-COMPLETED: a task ends once in ${rounds} races of a cancel with its result`, async () => {
  const { seed, below } = seeded()
  console.log(`seed ${seed}`)
  const results = new Map<string, ReturnType<typeof gate>>()
  const resultOf = (id: string) => results.get(id) ?? results.set(id, gate()).get(id)!
  const agent = testAgent((task) => task.step('work', () => resultOf(task.id).pass()))
  const probe = await startProbe({ agent, settings: { cancelGrace: 5 } })
  const ends: Record<string, number> = { CANCELED: 0, COMPLETED: 0 }
  for (let round = 0; round < rounds; round += atOnce) {
    const races = Array.from({ length: atOnce }, (_, nth) =>
      race(probe, bindings[nth % bindings.length]!, async (id, cancel) => {
        const late = (work: () => unknown) => pause(below(longest)).then(work)
        const [answer] = await Promise.all([late(cancel), late(resultOf(id).open)])
        return answer as Answer
      }),
    )
    for (const end of await Promise.all(races)) ends[end.replace('TASK_STATE_', '')]! += 1
  }
  expect(ends.CANCELED! + ends.COMPLETED!).toBe(rounds)
  expect(Math.min(ends.CANCELED!, ends.COMPLETED!), 'races won by either').toBeGreaterThan(0)
})

/** One race, watched by two streams; `run` gives the answer to the cancel. @returns the state in which the task ended */
async function race(
  probe: Probe,
  binding: Binding,
  run: (id: string, cancel: () => Promise<Answer>) => Promise<Answer>,
): Promise<TaskState> {
  const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage('go') })
  const first = (await stream.frames.next()).value as Frame
  const id = first.task!.id
  const other = await probe.stream(binding === 'JSONRPC' ? 'HTTP+JSON' : 'JSONRPC', 'SubscribeToTask', { id })
  const [answer, frames, others] = await Promise.all([
    run(id, () => probe.call(binding, 'CancelTask', { id })),
    allFrames(stream),
    allFrames(other),
  ])

  const ends = frames.filter((frame) => isTerminal(stateOf(frame) ?? 'TASK_STATE_WORKING'))
  expect(ends, 'terminal events').toHaveLength(1)
  expect(frames.at(-1)).toBe(ends[0])
  expect(others.at(-1)).toEqual(ends[0])
  const stored = (await probe.call(binding, 'GetTask', { id })).result
  expect(stored.status).toEqual(ends[0]!.statusUpdate!.status)
  if (answer.result) expect(answer.result).toEqual(stored)
  else expectRefusal(answer, binding, 'TASK_NOT_CANCELABLE')
  expect(stored.status.state).toBe(answer.result ? 'TASK_STATE_CANCELED' : 'TASK_STATE_COMPLETED')
  return stored.status.state
}
