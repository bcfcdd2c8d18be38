// Reads the frames of a stream for the tests, wrapped by either binding.
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import { createParser } from 'eventsource-parser'
import type { JsonBinding } from './probe.ts'

export interface Frame extends StreamResponse {
  id: string | undefined
}

/** The frames of `body`, until it ends. */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  binding: JsonBinding,
): AsyncGenerator<Frame> {
  const ready: Frame[] = []
  const parser = createParser({
    onEvent({ id, data }) {
      const json = JSON.parse(data)
      if (json.error) throw new Error(`an error in the stream: ${data}`)
      ready.push({ id, ...(binding === 'JSONRPC' ? json.result : json) })
    },
  })
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text)
    yield* ready.splice(0)
  }
}

/** All frames until the stream ends. */
export const allFrames = (stream: { frames: AsyncIterable<Frame> }): Promise<Frame[]> =>
  Array.fromAsync(stream.frames)

/** The frames up to and with the first that enters `state`. The stream stays open. */
export async function framesUntil(
  stream: { frames: AsyncGenerator<Frame> },
  state: string,
): Promise<Frame[]> {
  const seen: Frame[] = []
  for (;;) {
    const { value, done } = await stream.frames.next()
    if (done) throw new Error(`The stream ended before ${state}.`)
    seen.push(value)
    if ((value.statusUpdate ?? value.task)?.status.state === state) return seen
  }
}
