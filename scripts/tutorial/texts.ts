// Requests and answers as texts.
import { textOf } from '../../capture/format.ts'
import type { Capture, Exchange, Header } from '../../capture/model.ts'
import { type LiveRequest, uuid } from './requests.ts'

const headText = (headers: Header[]) => headers.map(([name, value]) => `\n${name}: ${value}`).join('')

/** A request as it is on the wire. */
export const requestText = ({ method, url, headers, body }: LiveRequest): string =>
  `${method} ${url}${headText(headers)}${body === undefined ? '' : `\n\n${body}`}`

/** A whole answer as it was recorded. */
export const answerText = ({ answer: { status, reason, headers, body } }: Exchange): string =>
  `${status} ${reason}${headText(headers)}${body === undefined ? '' : `\n\n${textOf(body)}`}`

/** A request as it was recorded, with the addresses of the documentation. */
export function recordedText({ request: { body, url, ...head } }: Exchange, { variables }: Capture): string {
  const address = url.replace(/\{\{(\w+)\}\}/, (whole, name: string) => variables[name] ?? whole)
  return requestText({ ...head, url: address, ...(body !== undefined && { body: textOf(body) }) })
}

/** The title of an exchange, with the end of an id of this play, which all begin alike, in place of the beginning of a recorded one. */
export function titleHere({ title, request }: Exchange, { url }: LiveRequest): string {
  const [recorded, here] = [request.url, url].map((text) => text.match(uuid) ?? [])
  return recorded!.reduce((text, id, at) => text.replace(id.slice(0, 8), `…${here![at]?.slice(-8)}`), title)
}
