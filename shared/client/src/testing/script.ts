// A watch of one task of an agent that plays a script, and what came of it.
import type { StreamResponse, Task } from '@a2a-kit/task-core/protocol'
import { type ConnectOptions, connect } from '../connect.ts'
import { type Exchange, type FakeOptions, fakeAgent } from './fake-agent.ts'
import { drain, quickWorld, statusOf, taskIn } from './fixtures.ts'

export const working = taskIn('TASK_STATE_WORKING')
export const waiting = taskIn('TASK_STATE_INPUT_REQUIRED')
export const completed = taskIn('TASK_STATE_COMPLETED')
export const done = statusOf('TASK_STATE_COMPLETED')

/** What the agent does with one request. */
export type Answer = (exchange: Exchange) => unknown

/** Plays its answers in order, by operation; after the last one of an operation, that one again. */
export const scripted =
  (script: { SubscribeToTask?: Answer[]; GetTask?: Answer[] }) => (exchange: Exchange) => {
    const answers = script[exchange.method as keyof typeof script] ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    return answer
      ? answer(exchange)
      : exchange.error('MethodNotFoundError', `No ${exchange.method} was planned.`)
  }

/** Answers GetTask with `task`. */
export const gives =
  (task: Task): Answer =>
  ({ result }) =>
    result(task)

export const refuses: Answer = ({ error }) => error('UnsupportedOperationError')
export const dropped: Answer = ({ reset }) => reset()

/** A stream of the frames, each with an id if it is given as a pair, and then its end. */
export const streams =
  (how: 'end' | 'reset' | 'hold', ...frames: (StreamResponse | [number, StreamResponse])[]): Answer =>
  ({ stream }) => {
    const out = stream()
    for (const frame of frames) Array.isArray(frame) ? out.frame(frame[1], frame[0]) : out.frame(frame)
    if (how !== 'hold') out[how]()
  }

/** Watches task T of an agent that plays `script`. */
export async function watched(
  script: Parameters<typeof scripted>[0],
  {
    agent = {},
    lastEventId,
    ...options
  }: ConnectOptions & { agent?: FakeOptions; lastEventId?: string } = {},
) {
  const fake = await fakeAgent(scripted(script), agent)
  const world = quickWorld()
  const client = await connect(fake.url, { world, retry: { attempts: 4 }, ...options })
  const { got, error } = await drain(client.watch('T', lastEventId === undefined ? {} : { lastEventId }))
  return { ...fake, pauses: world.pauses, got, error, events: got.map(({ event }) => event) }
}
