// From the bytes of a text/event-stream to its events.
import { createParser } from 'eventsource-parser'

export interface SseEvent {
  id?: string
  data: string
}

/**
 * The events of the stream, each as soon as it is whole: any line ending, any chunking, a byte order mark. Comments are
 * passed over, and so is a frame that the end cut in half.
 */
export async function* sseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const ready: SseEvent[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => ready.push(id === undefined ? { data } : { id, data }),
  })
  const decoder = new TextDecoder()
  const endLines = lineEndings()
  for await (const chunk of chunks) {
    parser.feed(endLines(decoder.decode(chunk, { stream: true })))
    yield* ready.splice(0)
  }
}

/**
 * A CR at the end of a chunk becomes CR LF, and an LF that then begins the next chunk is dropped: the parser would hold
 * back the event until it knows what follows the CR.
 */
function lineEndings(): (text: string) => string {
  let afterCr = false
  return (text) => {
    if (text === '') return text
    const rest = afterCr && text.startsWith('\n') ? text.slice(1) : text
    afterCr = text.endsWith('\r')
    return afterCr ? `${rest}\n` : rest
  }
}
