// Some requests to one agent at once, and everything that must hold after them.
import { exchange, type Reply } from './exchange.ts'
import { isOperators, judge, type Secrets, type Verdict } from './judge.ts'
import { bytesOf, isWhole, type Request } from './request.ts'
import { grown, type Ledger, type Rows } from './rows.ts'

export interface Target {
  name: string
  port: number
  ledger: Ledger
  secrets: Secrets
}

export interface Outcome {
  request: Request
  verdict: Verdict
  reply: Reply
}

export interface Trial {
  outcomes: Outcome[]
  /** What does not hold, and the requests that show it. */
  problem: { text: string; requests: Request[] } | undefined
}

/** How long an answer is waited for that may take as long as a task, in ms, and how long any other. */
const patience = { task: 100, other: 30_000 }

const held = `The agent answers nobody for ${patience.other / 1000} s.`

const takesItsTime = /SendMessage|SendStreamingMessage|SubscribeToTask|CancelTask|message|cancel|subscribe/

export async function tryOut(
  { port, ledger, secrets }: Target,
  requests: readonly Request[],
): Promise<Trial> {
  await quiet(ledger)
  const before = { rows: ledger.rows(), version: ledger.version(), busy: ledger.busy() }
  const outcomes = await Promise.all(
    requests.map(async (request): Promise<Outcome> => {
      const reply = await send(port, request)
      return { request, reply, verdict: judge(request, reply, secrets) }
    }),
  )
  // What was left is read now at the latest, so that the next request does not answer for it.
  const isWell = outcomes.every(({ reply }) => reply.end !== 'open') || (await healthOf(port)).status === 200
  if (!isWell) return { outcomes, problem: { text: held, requests: [...requests] } }
  const wrong = outcomes.find(({ verdict }) => verdict.problem)
  if (wrong) return { outcomes, problem: { text: wrong.verdict.problem!, requests: [wrong.request] } }
  const stored = storedTooMuch(ledger, before, outcomes)
  return { outcomes, problem: stored === undefined ? undefined : { text: stored, requests: [...requests] } }
}

/** Whether something was stored that no request was accepted for. */
function storedTooMuch(
  ledger: Ledger,
  before: { rows: Rows; version: number; busy: number },
  outcomes: readonly Outcome[],
): string | undefined {
  if (ledger.version() === before.version) return undefined
  const writing = outcomes.filter(mayStore)
  const made = grown(before.rows, ledger.rows())
  const isQuiet = writing.length === 0 && before.busy === 0
  // That somebody tried to decide may be put down, also where it is refused.
  const tries = outcomes.filter(({ request }) => isOperators(request)).length
  const most = (table: string): number => {
    if (table.includes('audit') && isQuiet) return tries
    if (table === 'tasks' || table === 'messages' || table === 'push_configs') return writing.length
    return isQuiet ? 0 : Number.POSITIVE_INFINITY
  }
  const table = Object.keys(made).find((name) => made[name]! > most(name))
  if (table) return `${made[table]} rows of ${table} were stored, and ${most(table)} at most were accepted.`
  const probes = outcomes.some(({ request }) => asksWhetherReady(request))
  return isQuiet && tries === 0 && !probes ? 'No request was accepted, and a row has changed.' : undefined
}

const reads = /^(GetTask|ListTasks|GetExtendedAgentCard|(Get|List)TaskPushNotificationConfigs?|tasks\/get)$/

function mayStore({ request: { method, body, target }, verdict }: Outcome): boolean {
  if (verdict.refused || ['GET', 'HEAD', 'OPTIONS'].includes(method)) return false
  const [, called = ''] = /"method":\s*"([^"]*)"/.exec(body?.toString('utf8', 0, 1000) ?? '') ?? []
  return !(target === '/a2a' && reads.test(called))
}

/** It finds out whether the store can write by writing. */
const asksWhetherReady = ({ target }: Request): boolean => target.includes('ready')

/** Gives what runs from the requests before a moment to come to its end. */
async function quiet(ledger: Ledger): Promise<void> {
  for (let left = 10; left > 0 && ledger.busy() > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
}

async function send(port: number, request: Request): Promise<Reply> {
  const mayWait =
    !isWhole(request) ||
    takesItsTime.test(`${request.target} ${request.body?.toString('utf8', 0, 10_000) ?? ''}`)
  const reply = await exchange(bytesOf(request), {
    port,
    patience: mayWait ? patience.task : patience.other,
    halfClose: !isWhole(request),
    headOnly: request.method === 'HEAD',
  })
  // An answer that need not wait for anything and does not come is none.
  return reply.end === 'open' && !mayWait ? { ...reply, end: 'none' } : reply
}

/** The answer of an agent that is well. */
export function healthOf(port: number): Promise<Reply> {
  const bytes = Buffer.from('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return exchange(bytes, { port, patience: patience.other, halfClose: false, headOnly: false })
}
