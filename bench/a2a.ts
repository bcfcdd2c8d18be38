// What the load asks of an agent, and what it must answer. Anything else ends the benchmark.
import { replayExtension, type Task } from '@a2a-kit/task-core/protocol'

export const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }

/** Every reply to the same script has the same length, since all ids have. */
let sent = 0
const messageId = () => `${process.pid}-${String(++sent).padStart(12, '0')}`

/** A JSON-RPC request as text. */
export const request = (method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** In the conformance agent's language: submitted, working, an artifact, completed. */
export const story = 'working; artifact a b'

/** The texts of the parts of its artifact. */
export const told = ['b']

/** What is in the frames of that story's stream, one after the other. */
const marks = ['"TASK_STATE_SUBMITTED"', '"TASK_STATE_WORKING"', '"artifactUpdate"', '"TASK_STATE_COMPLETED"']

/** How many events the story has. */
export const events = marks.length

const newMessage = (text: string) => ({
  message: { messageId: messageId(), role: 'ROLE_USER', parts: [{ text }] },
})

/** A blocking SendMessage of a new message with `script`. */
export const sendMessage = (script: string): string => request('SendMessage', newMessage(script))

/** The same whose reply is a stream. */
export const sendStreamingMessage = (script: string): string =>
  request('SendStreamingMessage', newMessage(script))

/**
 * The completed task in `reply`, which has an artifact of parts with these texts.
 * @throws Error that shows what is there instead
 */
export function completedTask(reply: string, texts = told): Task {
  const wrong = () =>
    new Error(`this is not a completed task with ${texts.length} parts as asked: ${reply.slice(0, 300)}`)
  let result: (Task & { task?: Task }) | undefined
  try {
    result = JSON.parse(reply).result
  } catch {
    throw wrong()
  }
  const task = result?.task ?? result
  const { parts = [] } = task?.artifacts?.[0] ?? {}
  const isSaid = parts.length === texts.length && texts.every((text, nth) => parts[nth]!.text === text)
  if (task?.status.state !== 'TASK_STATE_COMPLETED' || !isSaid) throw wrong()
  return task
}

/** A check of replies, each of which must be another task: one that was answered before is refused. */
export function tasksOnce(idOf: (reply: string) => string): (reply: string) => void {
  const seen = new Set<string>()
  return (reply) => {
    const id = idOf(reply)
    if (seen.has(id)) throw new Error(`this task has answered another message: ${reply.slice(0, 300)}`)
    seen.add(id)
  }
}

/** The frames of a stream: what has data. */
export const framesOf = (stream: string): string[] =>
  stream.split('\n\n').filter((block) => block.includes('data:'))

/**
 * The id of the task whose story `stream` tells: four frames, with its states in order.
 * @throws Error when it does not
 */
export function storyOf(stream: string): string {
  const frames = framesOf(stream)
  const [, id = ''] = /"id":"(.+?)"/.exec(stream) ?? []
  const isTold =
    id && frames.length === marks.length && marks.every((mark, nth) => isEvent(frames[nth]!, mark, id))
  if (!isTold || !stream.endsWith('\n\n'))
    throw new Error(`this is not the stream of four events: ${stream.slice(0, 300)}`)
  return id
}

const isEvent = (frame: string, mark: string, id: string) => frame.includes(mark) && frame.includes(`"${id}"`)

/** @throws Error that shows `reply` when it is another */
export function checkSame(reply: string, expected: string): void {
  if (reply !== expected)
    throw new Error(`this is not the reply that is always the same: ${reply.slice(0, 300)}`)
}

/** Posts `body` and returns the reply's text. */
export async function post(url: string, body: string, more: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })
  return response.text()
}

/**
 * Replays a finished task.
 * @throws Error when it does not have `expected` events
 */
export async function checkEvents(url: string, { id }: Task, expected: number): Promise<void> {
  const replay = { 'A2A-Extensions': replayExtension, 'Last-Event-ID': '1' }
  const stream = await post(url, request('SubscribeToTask', { id }), replay)
  const found = stream.match(/^id:/gm)?.length ?? 0
  if (found !== expected) throw new Error(`task ${id} has ${found} events instead of ${expected}.`)
}
