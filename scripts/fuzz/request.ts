// A request as bytes: what is sent over a bare connection, also where it is no HTTP.

export interface Request {
  method: string
  target: string
  /** As they are sent, in Latin-1; an empty name is a line without a colon. */
  headers: [name: string, value: string][]
  body: Buffer | undefined
  framing: Framing
}

/** How the end of the body is told. `short` promises more than comes, `long` less. */
export type Framing = 'length' | 'chunked' | 'broken chunks' | 'short' | 'long' | 'none'

/** Whether the request is whole, so that an answer has to come. */
export const isWhole = ({ framing }: Request): boolean => framing === 'length' || framing === 'chunked'

export function bytesOf({ method, target, headers, body, framing }: Request): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...headers.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)),
    ...(body === undefined ? [] : framingLines(body, framing)),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), framed(body, framing)])
}

function framingLines(body: Buffer, framing: Framing): string[] {
  if (framing === 'none') return []
  if (framing.endsWith('chunks') || framing === 'chunked') return ['Transfer-Encoding: chunked']
  const difference = framing === 'short' ? 7 : framing === 'long' ? -Math.min(3, body.length) : 0
  return [`Content-Length: ${body.length + difference}`]
}

function framed(body: Buffer | undefined, framing: Framing): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (framing !== 'chunked' && framing !== 'broken chunks') return body
  const size = body.length.toString(16)
  const end = framing === 'chunked' ? '\r\n0\r\n\r\n' : '\r\nzz\r\n'
  return Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from(body.length === 0 ? '\r\n' : end)])
}
