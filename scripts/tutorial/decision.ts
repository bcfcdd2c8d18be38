// Where an operator decides in a capture, the reader really does: in a browser, with curl, or by a key, and as they like.
import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../../capture/model.ts'
import { type Keys, onceOnly } from './keys.ts'
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
  if (!(await waitAt(page)).waiting) return undefined
  return { request, verb: verb as Decision['verb'], agent: to, page }
}

/** Resolves when the decision is made, anywhere, or is to be sent as the capture has it, or the reader leaves. */
export async function seeToDecision(
  { say, style, paragraph }: Paper,
  { request, verb, agent, page }: Decision,
  keys: Keys,
  signal: AbortSignal,
): Promise<Go> {
  const other = verb === 'approve' ? 'deny' : 'approve'
  const key = (word: string) => style('bold', word[0]!)
  paragraph(`This one is yours. The ${agent} waits for it, and goes on as soon as it is there:`)
  say()
  say(`In a browser:\n${style('underline', page)}`)
  say(`With curl, in another terminal:\n${curl(request)}`)
  say(`Or here: press ${key(verb)} to ${verb} as recorded, ${key(other)} to ${other}, ${key('q')} to leave.`)
  say()
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  untilDecided(page, either).then(
    () => over.abort(),
    () => {},
  )
  const words = [verb[0], other[0], 'q'].join('')
  const word = await keys
    .press(
      words,
      either,
      onceOnly(() =>
        say(
          style(
            'dim',
            `That key does nothing here. [${verb[0]} to ${verb}, ${other[0]} to ${other}, q to leave]`,
          ),
        ),
      ),
    )
    .catch(() => undefined)
  over.abort()
  if (word === 'q' || signal.aborted) return 'leave'
  if (word === verb[0]) return 'send'
  if (word === other[0]) await fetch(page.replace('/approve/', `/${other}/`), { method: 'POST' })
  else paragraph('It has arrived.')
  const { outcome = 'over' } = await waitAt(page)
  if (outcome === outcomes[verb]) return 'done'
  paragraph(
    `It is ${outcome}, where the capture goes on as ${outcomes[verb]}. So from here on nothing is held against what was recorded.`,
  )
  return 'otherwise'
}

const outcomes = { approve: 'approved', deny: 'denied' }

/** Resolves when the task at `page` does not wait any more; an agent that is away may come back. */
async function untilDecided(page: string, signal: AbortSignal): Promise<void> {
  const waits = () =>
    waitAt(page).then(
      ({ waiting }) => waiting,
      () => true,
    )
  while (await waits()) await pause(200, undefined, { signal })
}

/** Whether the task at `page` waits for a decision, or else how it was decided. */
async function waitAt(page: string): Promise<{ waiting?: boolean; outcome?: string }> {
  const response = await fetch(page, { headers: { Accept: 'application/json' } })
  return (await response.json()) as { waiting?: boolean; outcome?: string }
}

/** The request as a line for a shell. */
function curl({ url, headers, body }: LiveRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const fields = headers.map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`).join('')
  const data = body === undefined ? '' : ` -d ${quoted(JSON.stringify(JSON.parse(body)))}`
  return `curl -X POST ${url}${fields}${data}`
}
