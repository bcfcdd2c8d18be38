// Where an operator decides in a capture, the reader really does: in a browser, with curl, or by a key, and as they like.
import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../../capture/model.ts'
import { type Keys, onceOnly } from './keys.ts'
import type { Paper } from './paper.ts'
import { wantsTokens } from './play.ts'
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
  /** Whether nobody has decided yet. */
  waiting: boolean
}

/** The decision that the request is, if the agent waits for one or has it already. */
export async function decisionOf({ to }: Exchange, request: LiveRequest): Promise<Decision | undefined> {
  const { verb } = /^http:\/\/[^/]+\/(?<verb>approve|deny)\//.exec(request.url)?.groups ?? {}
  if (request.method !== 'POST' || !verb) return undefined
  const page = request.url.replace('/deny/', '/approve/')
  const { waiting = false, outcome } = await waitAt(page)
  if (!waiting && !outcome) return undefined
  return { request, verb: verb as Decision['verb'], agent: to, page, waiting }
}

/** Resolves when the decision is made, anywhere, or is to be sent as the capture has it, or the reader leaves. */
export async function seeToDecision(
  paper: Paper,
  decision: Decision,
  keys: Keys,
  signal: AbortSignal,
): Promise<Go> {
  const { verb, page, waiting } = decision
  const does = waiting ? await ask(paper, decision, keys, signal) : 'decided'
  if (does === 'leave') return 'leave'
  if (does === verb) return 'send'
  if (does === 'decided') paper.paragraph('It has arrived.')
  else await reach(page.replace('/approve/', `/${does}/`), { method: 'POST' })
  const { outcome = 'over' } = await waitAt(page)
  if (outcome === outcomes[verb]) return 'done'
  paper.paragraph(`It is ${outcome}. The capture goes on as ${outcomes[verb]}, so it ends here.`)
  return 'otherwise'
}

const outcomes = { approve: 'approved', deny: 'denied' }

async function ask(
  { say, style, paragraph }: Paper,
  { request, verb, agent, page }: Decision,
  keys: Keys,
  signal: AbortSignal,
): Promise<'approve' | 'deny' | 'decided' | 'leave'> {
  const other = verb === 'approve' ? 'deny' : 'approve'
  const key = (word: string) => style('bold', word[0]!)
  paragraph(`This one is yours. The ${agent} waits for it, and goes on as soon as it is there:`)
  say()
  say(`In a browser:\n${style('underline', page)}`)
  say(`With curl, in another terminal:\n${curl(request)}`)
  say(`Or here: press ${key(verb)} to ${verb} as recorded, ${key(other)} to ${other}, ${key('q')} to leave.`)
  say()
  const hint = `That key does nothing here. [${verb[0]} to ${verb}, ${other[0]} to ${other}, q to leave]`
  const decided = new AbortController()
  const either = AbortSignal.any([signal, decided.signal])
  untilDecided(page, either).then(
    () => decided.abort(),
    () => {}, // a key was pressed first
  )
  const pressed = keys.press(
    `${verb[0]}${other[0]}q`,
    either,
    onceOnly(() => say(style('dim', hint))),
  )
  const word = await pressed.catch(() => undefined)
  decided.abort()
  if (word === 'q' || signal.aborted) return 'leave'
  return word === undefined ? 'decided' : word === verb[0] ? verb : other
}

/** Resolves when the task at `page` does not wait any more; an agent that is away may come back. */
async function untilDecided(page: string, signal: AbortSignal): Promise<void> {
  const waits = async () => (await waitAt(page).catch(() => ({ waiting: true }))).waiting
  while (await waits()) await pause(200, undefined, { signal })
}

/** Whether the task at `page` waits for a decision, or else how it was decided. */
async function waitAt(page: string): Promise<{ waiting?: boolean; outcome?: string }> {
  const response = await reach(page, { headers: { Accept: 'application/json' } })
  return (await response.json()) as { waiting?: boolean; outcome?: string }
}

/** @throws Error if nobody answers, or the answer is a refusal */
async function reach(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch(() => undefined)
  if (response?.ok) return response
  if (response?.status === 401) throw new Error(wantsTokens)
  throw new Error(`${url} ${response ? `was refused with ${response.status}` : 'got no answer'}.`)
}

/** The request as a line for a shell. */
function curl({ url, headers, body }: LiveRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const fields = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join('')
  const data = body === undefined ? '' : ` -d ${quoted(JSON.stringify(JSON.parse(body)))}`
  const address = /[?&]/.test(url) ? quoted(url) : url // which a shell would take for a pattern
  return `curl -X POST ${address}${fields}${data}`
}
