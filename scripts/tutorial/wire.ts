// Sends requests and keeps what comes back, as it comes: whole answers, and streams frame by frame.
import type { Json } from '@a2a-kit/task-core'
import { createParser } from 'eventsource-parser'
import { Agent, type Dispatcher, request as send } from 'undici'
import type { Body, Frame, Header } from '../../capture/model.ts'
import type { LiveRequest } from './requests.ts'

export interface LiveAnswer {
  status: number
  headers: Header[]
  /** Of a stream, nothing. */
  body?: Body
  stream?: LiveStream
}

export type LiveFrame = Omit<Frame, 'atMs'>

export interface LiveStream {
  /** The frame, counted from 0, once it is there; undefined if the stream ended before. */
  frame(index: number): Promise<LiveFrame | undefined>
  /** Resolves with how many frames there were, once the agent has ended the stream. */
  ended: Promise<number>
  isOver(): boolean
  leave(): void
}

export type Wire = ReturnType<typeof createWire>

export function createWire() {
  const connections = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

  /** Resolves with a whole answer, or with a stream that has begun. @throws Error if there is no answer */
  async function open({ method, url, headers, body }: LiveRequest): Promise<LiveAnswer> {
    const response = await send(url, {
      method: method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      ...(body !== undefined && { body }),
      dispatcher: connections,
    }).catch((error: Error) => {
      throw new Error(`${method} ${url} got no answer. ${error.message || 'Nothing listens there.'}`)
    })
    const answer: LiveAnswer = {
      status: response.statusCode,
      headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    }
    if (String(response.headers['content-type']).startsWith('text/event-stream')) {
      answer.stream = readStream(response.body)
    } else {
      const text = await response.body.text()
      if (text !== '') answer.body = parsed(text)
    }
    return answer
  }

  return { open, close: () => connections.destroy() }
}

function readStream(body: Dispatcher.ResponseData['body']): LiveStream {
  const frames: LiveFrame[] = []
  let over = false
  let changed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<number>()
  const tell = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ id, data }) => void frames.push({ ...(id !== undefined && { id }), data: parsed(data) }),
  })
  const end = () => {
    over = true
    tell()
    ended.resolve(frames.length)
  }
  body
    .on('data', (chunk: Buffer) => {
      parser.feed(decoder.decode(chunk, { stream: true }))
      tell()
    })
    .on('close', end)
    .on('error', () => {})
  return {
    async frame(index) {
      while (frames.length <= index && !over) await changed.promise
      return frames[index]
    },
    ended: ended.promise,
    isOver: () => over,
    leave: () => void body.destroy(),
  }
}

/** A replay of a stream of which `seen` frames had come: it begins with the task as it was then, which is no frame of that one. */
export const later = (stream: LiveStream, seen: number): LiveStream => ({
  ...stream,
  frame: (index) => stream.frame(index - seen + 1),
  ended: stream.ended.then((count) => count + seen - 1),
})

/** As the captures read it: what begins like JSON is JSON. */
export function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
