// One request to one agent, and everything that must hold after it.
import { type ExchangeOptions, exchange, type Reply } from './exchange.ts'
import { judge, type Secrets, type Verdict } from './judge.ts'
import { bytesOf, isWhole, type Request } from './request.ts'
import { changedTables, type Ledger } from './rows.ts'

export interface Target {
  name: string
  port: number
  ledger: Ledger
  secrets: Secrets
}

export interface Trial {
  verdict: Verdict
  reply: Reply
  problem: string | undefined
}

/** How long an answer is waited for that may take as long as a task, in ms, and how long any other. */
const patience = { task: 150, other: 20_000 }

const takesItsTime = /SendMessage|SendStreamingMessage|SubscribeToTask|CancelTask|message|cancel|subscribe/

export async function tryOut(target: Target, request: Request): Promise<Trial> {
  const { ledger } = target
  await quiet(ledger)
  const before = { rows: ledger.rows(), version: ledger.version(), busy: ledger.busy() }
  const reply = await send(target, request)
  const verdict = judge(request, reply, target.secrets)
  const problem = verdict.problem ?? (mayStore(request, verdict) ? undefined : stored())
  return { verdict, reply, problem }

  function stored(): string | undefined {
    if (ledger.version() === before.version) return undefined
    const atWork = before.busy > 0
    const changed = changedTables(before.rows, ledger.rows(), atWork).filter(
      (name) => !isAudit(name, request),
    )
    if (changed.length > 0)
      return `A request that was refused, or only reads, has changed ${changed.join(', ')}.`
    return atWork || /^\/(approve|deny)\//.test(request.target)
      ? undefined
      : 'A request that was refused, or only reads, has changed a row.'
  }
}

/** That somebody tried to decide may be put down, also where it is refused. */
const isAudit = (table: string, { target }: Request): boolean =>
  table.includes('audit') && /^\/(approve|deny)\//.test(target)

const mayStore = ({ method }: Request, { refused }: Verdict): boolean =>
  !refused && !['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Gives what runs from the requests before a moment to come to its end. */
async function quiet(ledger: Ledger): Promise<void> {
  for (let left = 10; left > 0 && ledger.busy() > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 2))
}

async function send({ port }: Target, request: Request): Promise<Reply> {
  const bytes = bytesOf(request)
  const mayWait =
    !isWhole(request) || takesItsTime.test(`${request.target} ${request.body ?? ''}`.slice(0, 10_000))
  const options: ExchangeOptions = {
    port,
    patience: mayWait ? patience.task : patience.other,
    halfClose: !isWhole(request),
    headOnly: request.method === 'HEAD',
  }
  const reply = await exchange(bytes, options)
  if (reply.end === 'open' && !mayWait) {
    return { ...reply, end: 'none' }
  }
  // What was left is read now at the latest, so that the next request does not answer for it.
  if (reply.end === 'open') await healthOf(port)
  return reply
}

/** The answer of an agent that is well. */
export function healthOf(port: number): Promise<Reply> {
  const bytes = Buffer.from('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  return exchange(bytes, { port, patience: patience.other, halfClose: false, headOnly: false })
}
