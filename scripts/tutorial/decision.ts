// Where an operator decides in a capture, the reader really does: in a browser, with curl, or by a key.
import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../../capture/model.ts'
import type { Paper } from './paper.ts'
import type { LiveRequest } from './requests.ts'
import type { Go } from './viewer.ts'

export interface Decision {
  request: LiveRequest
  /** What is decided in the capture. */
  verb: 'approve' | 'deny'
  /** The agent that waits. */
  agent: string
  /** Where the request is read. */
  page: string
}

/** The decision that the request is, if the agent waits for one now. */
export async function decisionOf({ to }: Exchange, request: LiveRequest): Promise<Decision | undefined> {
  const { verb } = /^http:\/\/[^/]+\/(?<verb>approve|deny)\//.exec(request.url)?.groups ?? {}
  if (request.method !== 'POST' || !verb) return undefined
  const page = request.url.replace('/deny/', '/approve/')
  if (!(await waits(page))) return undefined
  return { request, verb: verb as Decision['verb'], agent: to, page }
}

/** Resolves when the decision is made, anywhere, or is to be sent as the capture has it, or the reader leaves. */
export async function seeToDecision(
  { say, style, paragraph }: Paper,
  { request, verb, agent, page }: Decision,
  press: (keys: string, signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
): Promise<Go> {
  const decided = new AbortController()
  const [key] = verb
  paragraph(`This one is yours. The ${agent} waits for it, and goes on as soon as it is there:`)
  say()
  say(`In a browser:\n${style('underline', page)}`)
  say(`With curl, in another terminal:\n${curl(request)}`)
  say(`Or here: press ${style('bold', key!)} to ${verb}, ${style('bold', 'q')} to leave.`)
  say()
  untilDecided().then(
    (is) => is && decided.abort(),
    () => {}, // the agent is away: a key still decides
  )
  const stop = () => decided.abort()
  signal.addEventListener('abort', stop)
  const word = await press(`${key}q`, decided.signal).catch(() => undefined)
  decided.abort()
  signal.removeEventListener('abort', stop)
  if (word === 'q' || signal.aborted) return 'leave'
  if (word === key) return 'send'
  paragraph('It has arrived.')
  return 'done'

  async function untilDecided(): Promise<boolean> {
    while (!decided.signal.aborted) {
      if (!(await waits(page))) return true
      await pause(200)
    }
    return false
  }
}

/** Whether the task at `page` waits for a decision. */
async function waits(page: string): Promise<boolean> {
  const response = await fetch(page, { headers: { Accept: 'application/json' } })
  return ((await response.json()) as { waiting?: boolean }).waiting === true
}

/** The request as a line for a shell. */
function curl({ url, headers, body }: LiveRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const fields = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join('')
  const data = body === undefined ? '' : ` -d ${quoted(JSON.stringify(JSON.parse(body)))}`
  return `curl -X POST ${url}${fields}${data}`
}
