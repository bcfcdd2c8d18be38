// From the reply to a streaming call to its events, and the line between a stream that ended and one that was cut.
import { A2AError, endsStream, type StreamResponse } from '@a2a-kit/task-core/protocol'
import { ConnectionError, StreamCutError } from './errors.ts'
import type { Reply } from './http.ts'
import { parseJson } from './json.ts'
import { readJson } from './reply.ts'
import { readFrame } from './shapes.ts'
import { sseEvents } from './sse.ts'
import type { Limits, StreamEvent } from './transport.ts'

/** Takes the payload out of one JSON text of the binding, or throws the error that it holds. */
export type Unwrap = (body: unknown, reply: Reply) => unknown

/**
 * The events of a reply, which must be a stream.
 * @throws A2AError or HttpError for any other reply
 */
export async function openStream(
  reply: Reply,
  unwrap: Unwrap,
  { replyMs, idleMs }: Limits,
): Promise<AsyncIterable<StreamEvent>> {
  if (reply.ok && reply.mediaType === 'text/event-stream') {
    return untilEnd(events(reply, unwrap, idleMs), reply.host)
  }
  unwrap(await readJson(reply, replyMs), reply)
  throw new A2AError('InvalidAgentResponseError', `${reply.host} answered a streaming call without a stream.`)
}

async function* events(reply: Reply, unwrap: Unwrap, idleMs: number): AsyncGenerator<StreamEvent> {
  for await (const { id, data } of sseEvents(reply.chunks(idleMs))) {
    const body = parseJson(data)
    if (body === undefined) {
      const start = data.slice(0, 120)
      throw new A2AError('InvalidAgentResponseError', `${reply.host} sent a frame that is not JSON: ${start}`)
    }
    const event = readFrame(unwrap(body, reply))
    yield id === undefined ? { event } : { event, eventId: id }
  }
}

/**
 * `events` as they come from `host`, over any binding.
 * @throws StreamCutError when they stop, or the connection is lost, before there is nothing more to tell
 */
export async function* untilEnd(
  events: AsyncIterable<StreamEvent>,
  host: string,
): AsyncGenerator<StreamEvent> {
  let end: 'none' | 'may' | 'over' = 'none'
  try {
    for await (const one of events) {
      end = endAfter(one.event, end)
      yield one
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
    if (end === 'over') return
    throw new StreamCutError(`The stream was cut. ${error.message}`, { cause: error.cause ?? error })
  }
  if (end === 'none') {
    throw new StreamCutError(`The stream was cut: ${host} closed it before the task had come to an end.`)
  }
}

/** May the stream end after this event (§3.1.2, §11.7), and is there anything that it could still bring? */
function endAfter({ task, message, statusUpdate }: StreamResponse, before: 'none' | 'may' | 'over') {
  if (message) return 'over'
  const state = (task ?? statusUpdate)?.status.state
  if (state === undefined) return before
  if (!endsStream(state)) return 'none'
  return state === 'TASK_STATE_INPUT_REQUIRED' ? 'may' : 'over'
}
