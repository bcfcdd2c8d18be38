// A client whose connection breaks: it takes so many bytes of a stream, and destroys the socket in the middle of whatever comes.
import { request } from 'node:http'
import type { StreamResponse } from '@a2a-kit/task-core/protocol'
import { createParser } from 'eventsource-parser'
import type { JsonBinding } from './probe.ts'

export interface CutFrame extends StreamResponse {
  id: string
}

export interface CutStream {
  /** The frames that came whole. */
  frames: CutFrame[]
  /** Whether the stream ended by itself before the cut. */
  ended: boolean
  /** The answer, if it was no stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  refusal?: any
}

interface Streaming {
  binding: JsonBinding
  operation: 'SendStreamingMessage' | 'SubscribeToTask'
  params: { id?: string; message?: object }
  headers?: Record<string, string>
}

/** Opens a stream at `base` (which ends in `/a2a`) and destroys the socket after `bytes`. Rejects if nobody answers. */
export function streamUntilCut(
  base: string,
  { binding, operation, params, headers = {} }: Streaming,
  bytes = Number.POSITIVE_INFINITY,
): Promise<CutStream> {
  const { path, body } = binding === 'JSONRPC' ? jsonRpc(operation, params) : httpJson(operation, params)
  const sent = { 'A2A-Version': '1.0', 'Content-Type': 'application/json', ...headers }
  return new Promise((resolve, reject) => {
    const call = request(base + path, { method: 'POST', agent: false, headers: sent })
    call.on('error', reject)
    call.on('response', (response) => {
      const streams = response.headers['content-type']?.startsWith('text/event-stream')
      const limit = streams ? bytes : Number.POSITIVE_INFINITY
      let taken = Buffer.alloc(0)
      const finish = (ended: boolean) => {
        const text = new TextDecoder().decode(taken.subarray(0, limit), { stream: true })
        resolve(
          streams
            ? { frames: framesIn(text, binding), ended }
            : { frames: [], ended, refusal: JSON.parse(text).error },
        )
      }
      response.on('data', (data: Buffer) => {
        taken = Buffer.concat([taken, data])
        if (taken.length < limit) return
        call.destroy()
        finish(false)
      })
      response.on('end', () => finish(true))
      response.on('error', () => finish(false))
    })
    call.end(body)
  })
}

function framesIn(text: string, binding: JsonBinding): CutFrame[] {
  const frames: CutFrame[] = []
  const parser = createParser({
    onEvent({ id = '', data }) {
      const json = JSON.parse(data)
      frames.push({ id, ...(binding === 'JSONRPC' ? json.result : json) })
    },
  })
  parser.feed(text)
  return frames
}

const jsonRpc = (method: string, params: object) => ({
  path: '',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

const httpJson = (operation: string, params: { id?: string }) =>
  operation === 'SubscribeToTask'
    ? { path: `/tasks/${params.id}:subscribe`, body: '' }
    : { path: '/message:stream', body: JSON.stringify(params) }
