// Reads a whole reply: JSON by its media type, or an error that shows the start of what came instead.
import { HttpError } from './errors.ts'
import type { Reply } from './http.ts'
import { parseJson } from './json.ts'

const isJson = (mediaType: string) => mediaType === 'application/json' || mediaType.endsWith('+json')

/** The text of the reply, up to about `enough` characters; the rest is not waited for. */
async function textOf(reply: Reply, limitMs: number, enough = Number.POSITIVE_INFINITY): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of reply.chunks(limitMs)) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= enough) break
  }
  return text + decoder.decode()
}

/** An address without what may be a secret in it: user, password, query. */
export const bare = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')

/** What a reply says that is not the protocol's: host, HTTP status, and the first words of its text. */
export function httpError(reply: Reply, what: string, text = ''): HttpError {
  const start = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120)
  const to = reply.location ? ` It redirects to ${bare(reply.location)}, which is not followed.` : ''
  const said = start === '' ? '' : ` It begins: ${start}`
  return new HttpError(`${reply.host} answered HTTP ${reply.status} with ${what}.${to}${said}`, reply)
}

/**
 * The JSON of a reply, of any HTTP status. `limitMs` bounds each silence while it comes. With `orNothing` an empty reply is `{}`.
 * @throws HttpError when it is not JSON
 */
export async function readJson(reply: Reply, limitMs: number, { orNothing = false } = {}): Promise<unknown> {
  if (!isJson(reply.mediaType) && !(orNothing && reply.mediaType === '')) {
    const what = reply.mediaType === '' ? 'no media type' : `${reply.mediaType}, not JSON`
    throw httpError(reply, what, await textOf(reply, limitMs, 400))
  }
  const text = await textOf(reply, limitMs)
  if (orNothing && text === '') return {}
  const value = parseJson(text)
  if (value === undefined) throw httpError(reply, 'a text that is not valid JSON', text)
  return value
}
