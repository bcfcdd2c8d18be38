// One request over a connection of its own, and what comes back.
import { connect } from 'node:net'

export interface Reply {
  /** `none` where the connection ended without an answer; `open` where it was left before the answer was whole. */
  end: 'whole' | 'none' | 'open'
  status: number
  headers: Map<string, string>
  /** As far as it came. */
  body: string
  ms: number
}

export interface ExchangeOptions {
  port: number
  /** How long to wait for the end of the answer, in ms. */
  patience: number
  /** Whether the client says that nothing more comes from it. */
  halfClose: boolean
  /** A HEAD has no body, whatever its headers say. */
  headOnly: boolean
}

/** Sends the bytes as they are. Never rejects: a connection that breaks is an answer too. */
export function exchange(bytes: Buffer, options: ExchangeOptions): Promise<Reply> {
  const { port, patience, halfClose, headOnly } = options
  const begun = performance.now()
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const timer = setTimeout(() => finish('open'), patience)
    const finish = (end?: 'open') => {
      clearTimeout(timer)
      socket.removeAllListeners().on('error', () => {})
      socket.resetAndDestroy() // leaves no port behind that waits
      const reply = read(Buffer.concat(chunks), headOnly)
      const ms = performance.now() - begun
      if (reply) resolve({ ...reply, end: reply.whole ? 'whole' : (end ?? 'whole'), ms })
      else resolve({ end: end ?? 'none', status: 0, headers: new Map(), body: '', ms })
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (read(chunks.length === 1 ? chunk : Buffer.concat(chunks), headOnly)?.whole) finish()
    })
    socket
      .on('error', () => finish())
      .on('close', () => finish())
      .on('end', () => finish())
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
  })
}

type Read = Omit<Reply, 'end' | 'ms'> & { whole: boolean }

/** The first answer that is not a provisional one, as far as it is there. */
function read(bytes: Buffer, headOnly: boolean): Read | undefined {
  const at = bytes.indexOf('\r\n\r\n')
  if (at === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, at).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const rest = bytes.subarray(at + 4)
  if (status >= 100 && status < 200) return read(rest, headOnly)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  if (headOnly || status === 204 || status === 304) return { status, headers, body: '', whole: true }
  if (headers.get('transfer-encoding') === 'chunked') return { status, headers, ...unchunked(rest) }
  const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  return {
    status,
    headers,
    body: rest.toString('utf8', 0, Math.min(length, rest.length)),
    whole: rest.length >= length,
  }
}

function unchunked(bytes: Buffer): { body: string; whole: boolean } {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = line === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (Number.isNaN(size)) return { body: Buffer.concat(parts).toString(), whole: false }
    if (size === 0) return { body: Buffer.concat(parts).toString(), whole: true }
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
