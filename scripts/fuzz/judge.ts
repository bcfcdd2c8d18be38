// Whether an answer is one that an agent may give: its status, its shape, and nothing of the program behind it.
import type { Reply } from './exchange.ts'
import { isWhole, type Request } from './request.ts'

export interface Verdict {
  /** For the counts, such as `JSON-RPC -32602` or `HTTP 404`. */
  kind: string
  /** True where the request was not taken, so that nothing may have been stored. */
  refused: boolean
  /** What is wrong with the answer. */
  problem?: string
}

/** Texts that an answer never holds unless they came with the request: paths, tokens. */
export type Secrets = readonly string[]

/** The path and the query, also of an address that is whole. */
const placeOf = ({ target }: Request): string => target.trim().replace(/^https?:\/\/[^/?]*/i, '')
const isJsonRpc = (request: Request): boolean => /^\/a2a\/?([?#]|$)/.test(placeOf(request))
const isOf03 = (request: Request): boolean => /^\/a2a\/v1([/?]|$)/.test(placeOf(request))
export const isOperators = (request: Request): boolean => /^\/(approve|deny|revoke)\//.test(placeOf(request))

/** What shows of a program when it fails before the eyes of its caller. */
const insides =
  /node_modules|node:internal|(\n|\\n)\s*at \S.*:\d+:\d+|SQLITE_|FST_ERR|ERR_[A-Z]+_|\bE(ACCES|NOENT|ISDIR|NOTDIR)\b/

export function judge(request: Request, reply: Reply, secrets: Secrets): Verdict {
  if (reply.end === 'none') return judgeSilence(request)
  if (reply.end === 'open' && reply.status === 0) return { kind: 'left before an answer', refused: false }
  const verdict = reply.headers.get('content-type')?.startsWith('text/event-stream')
    ? judgeStream(reply)
    : judgeWhole(request, reply)
  const problem = verdict.problem ?? leakIn(request, reply, secrets)
  return { ...verdict, ...(problem && { problem }) }
}

function judgeSilence(request: Request): Verdict {
  const kind = 'closed without an answer'
  // Nothing of ours is asked where a tunnel is, and what is larger than all may go on being sent after its answer.
  const expected =
    !isWhole(request) || request.method === 'CONNECT' || (request.body?.length ?? 0) > 4_000_000
  return {
    kind,
    refused: true,
    ...(!expected && { problem: 'The connection was closed without an answer.' }),
  }
}

function judgeStream({ body, end }: Reply): Verdict {
  const kind = end === 'open' ? 'stream, left' : 'stream, to its end'
  for (const line of body.split('\n').slice(0, end === 'open' ? -1 : undefined)) {
    if (!line.startsWith('data: ')) continue
    const frame = parsed(line.slice(6))
    if (frame === undefined) return { kind, refused: false, problem: 'A frame of the stream is no JSON.' }
    if (isInternal(frame)) return { kind, refused: false, problem: 'The stream says that the agent failed.' }
  }
  return { kind, refused: false }
}

function judgeWhole(request: Request, { status, body, headers, end }: Reply): Verdict {
  const kind = `HTTP ${status}`
  const refused = status >= 400
  const wrong = (problem: string): Verdict => ({ kind, refused, problem })
  if (status === 0) return wrong('The answer is no HTTP.')
  if (end === 'open') return { kind: `${kind}, not whole`, refused }
  if (status >= 500) return wrong(`The status is ${status}.`)
  if (body === '') {
    const hasNone =
      request.method === 'HEAD' || request.method === 'OPTIONS' || status === 304 || status === 204
    return hasNone ? { kind, refused } : wrong(`An answer with ${status} has no body.`)
  }
  const type = headers.get('content-type') ?? ''
  if (/^text\/html/.test(type) && isOperators(request)) return { kind, refused }
  if (!/^application\/(a2a\+)?json\b/.test(type)) return wrong(`The answer is of type "${type}".`)
  const json = parsed(body)
  if (json === undefined) return wrong('The answer is no JSON.')
  if (isInternal(json)) return wrong('The agent says that it failed.')
  const isBroken = status === 400 && headers.get('connection') === 'close' // it was never read as a request
  if (isJsonRpc(request) && !(isBroken && isStatus(json, 400))) return judgeJsonRpc(request, status, json)
  if (!refused) return { kind, refused }
  const fits =
    isStatus(json, status) ||
    (isOf03(request) && isErrorOf03(json)) ||
    (isOperators(request) && typeof json.error === 'string')
  return fits ? { kind, refused } : wrong(`The error with ${status} has not the shape of its binding.`)
}

// biome-ignore lint/suspicious/noExplicitAny: what comes may be anything
type Any = any

function judgeJsonRpc(request: Request, status: number, json: Any): Verdict {
  const code: unknown = json.error?.code
  const kind = json.error ? `JSON-RPC ${code}${status === 200 ? '' : ` with ${status}`}` : 'JSON-RPC result'
  const refused = json.error !== undefined
  const wrong = (problem: string): Verdict => ({ kind, refused, problem })
  if (json.jsonrpc !== '2.0') return wrong('The answer is no JSON-RPC.')
  if (refused === (json.result !== undefined)) return wrong('The answer has not one of result and error.')
  if (refused && !(Number.isInteger(code) && typeof json.error.message === 'string' && json.error.data))
    return wrong('The error has not the shape of JSON-RPC.')
  const sent = parsed(request.body?.toString() ?? '')?.id
  const isKnown =
    status === 200 && request.method === 'POST' && (typeof sent === 'string' || typeof sent === 'number')
  if (isKnown && code !== -32700 && code !== -32600 && JSON.stringify(json.id) !== JSON.stringify(sent))
    return wrong('The answer has not the id of the request.')
  return { kind, refused }
}

const parsed = (text: string): Any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isStatus = ({ error }: Any, status: number): boolean =>
  error?.code === status &&
  typeof error.status === 'string' &&
  typeof error.message === 'string' &&
  Array.isArray(error.details)

const isErrorOf03 = ({ code, message, data }: Any): boolean =>
  Number.isInteger(code) && typeof message === 'string' && typeof data?.reason === 'string'

/** InternalError in any binding's shape; over JSON-RPC it comes with 200. */
const isInternal = (json: Any): boolean =>
  json?.error?.status === 'INTERNAL' ||
  ['INTERNAL_ERROR', 'INVALID_AGENT_RESPONSE'].includes(
    json?.error?.data?.[0]?.reason ?? json?.error?.data?.reason ?? json?.data?.reason,
  )

function leakIn(request: Request, { body, headers }: Reply, secrets: Secrets): string | undefined {
  const answer = `${body}\n${[...headers].join('\n')}`
  const asked = `${request.target}\n${request.headers.join('\n')}\n${request.body ?? ''}`
  const found = insides.exec(answer)?.[0]
  if (found && !asked.includes(found)) return `The answer shows what is inside: "${found.slice(0, 80)}".`
  const secret = secrets.find((one) => answer.includes(one) && !asked.includes(one))
  return secret && 'The answer shows a path of this machine, or a token.'
}
