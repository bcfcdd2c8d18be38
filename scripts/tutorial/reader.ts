// What the reader of a tutorial sees of a play, moment by moment, and what a key press does.
import type { AgentName } from '../../capture/kit.ts'
import type { Capture, Exchange } from '../../capture/model.ts'
import type { Moment } from '../../capture/timeline.ts'
import { decisionOf, seeToDecision } from './decision.ts'
import type { PartFinding } from './judge.ts'
import { type Keys, onceOnly } from './keys.ts'
import type { Paper } from './paper.ts'
import type { Part } from './places.ts'
import { headerRows, type Row, rowsOf } from './rows.ts'
import type { Sitting } from './sitting.ts'
import { answerText, recordedText, requestText, titleHere } from './texts.ts'
import type { Go, Viewer } from './viewer.ts'

export interface ReaderOptions {
  capture: Capture
  restart: Sitting['restart']
  /** Undefined where nobody presses any, and everything goes on by itself. */
  keys: Keys | undefined
  signal: AbortSignal
}

export function createReader(paper: Paper, { capture, restart, keys, signal }: ReaderOptions) {
  const { say, style, paragraph, lines } = paper
  const findings: PartFinding[] = []
  const told = new Set<string>()
  /** What exchanges are called here. */
  const titles = new Map<Exchange, string>()

  const viewer: Viewer = {
    async request(exchange, live) {
      titles.set(exchange, titleHere(exchange, live))
      introduce(exchange)
      await startAgain(exchange.restarted as AgentName | undefined)
      lines(requestText(live))
      say()
      const decision = keys && (await decisionOf(exchange, live))
      if (decision) return seeToDecision(paper, decision, keys, signal)
      return next('sends it')
    },
    answer(exchange, live, found) {
      findings.push(...found)
      announceLate(exchange)
      if (live) {
        const { status, reason, headers, body, frames } = exchange.answer
        const [sent, came] = [
          `${status} ${reason}`,
          live.status === status ? `${status} ${reason}` : `${live.status}`,
        ]
        print([
          { live: came, recorded: sent, kind: came === sent ? 'same' : 'fault' },
          ...headerRows(headers, live.headers, of('headers', found)),
          ...gap(body !== undefined || live.body !== undefined),
          ...rowsOf(body, live.body, of('body', found)),
        ])
        if (frames) say()
      } else {
        paragraph('The answer went to whoever did it. Recorded:')
        lines(answerText(exchange))
      }
      if (!exchange.answer.frames) conclude(exchange)
    },
    frame(exchange, index, live, found) {
      findings.push(...found)
      const { frames = [] } = exchange.answer
      const { id, data } = frames[index]!
      announceFrame(exchange, index)
      const inData = found
        .filter(({ path }) => path[0] !== 'id')
        .map((one) => ({ ...one, path: one.path.slice(1) }))
      print([
        ...(id === live?.id
          ? []
          : [{ live: live && `id: ${live.id}`, recorded: `id: ${id}`, kind: 'fault' as const }]),
        ...rowsOf(data, live?.data, inData),
      ])
      say()
      if (index === frames.length - 1) conclude(exchange)
    },
    async delivery(exchange, live, found) {
      introduce(exchange)
      if ((await next('shows it')) === 'leave') return 'leave'
      findings.push(...found)
      const { method, url, headers, body } = exchange.request
      const came = live && `${live.method} ${live.path}`
      const recorded = `${method} ${url.replace('{{webhook}}', '')}`
      print([
        { live: came, recorded, kind: came === recorded ? 'same' : 'fault' },
        ...(live ? headerRows(headers, live.headers, of('requestHeaders', found)) : []),
        ...gap(true),
        ...rowsOf(body, live?.body, of('requestBody', found)),
      ])
      say()
      paragraph(`It is answered as recorded, with ${exchange.answer.status}.`)
      conclude(exchange)
      return 'send'
    },
    async overheard(moment) {
      const { exchange, kind } = moment
      if (kind === 'request') {
        introduce(exchange)
        paragraph('Only these two agents see this exchange, so it is shown as recorded.')
        say()
        lines(recordedText(exchange, capture), 'dim')
        say()
        return next('goes on')
      }
      if (kind === 'answer') {
        announceLate(exchange)
        lines(answerText(exchange), 'dim')
      } else {
        announceFrame(exchange, moment.index)
        lines(JSON.stringify(exchange.answer.frames![moment.index]!.data, null, 2), 'dim')
      }
      say()
      if (isLast(moment)) conclude(exchange)
      return 'send'
    },
    unrecorded({ n }, { data }) {
      say()
      say(style('bold', `a frame on the stream of ${n}`))
      lines(JSON.stringify(data, null, 2))
    },
    lost({ n }) {
      paragraph(`The stream of ${n} was lost. The client subscribes again, once the agent answers.`)
      say()
    },
    ended(_, found) {
      findings.push(...found)
      for (const { recorded, live } of found)
        say(style('red', `≠ The stream had ${live}; recorded are ${recorded}.`))
    },
  }
  return { viewer, findings }

  function introduce(exchange: Exchange): void {
    const { n, title, from, to, tell } = exchange
    say()
    paper.heading(`${n}/${capture.exchanges.length}  ${from} → ${to}  ${titles.get(exchange) ?? title}`)
    say()
    paragraph(tell)
    say()
  }

  async function startAgain(agent: AgentName | undefined): Promise<void> {
    if (!agent) return
    if (restart) {
      const end = paper.during(`the ${agent} is stopped and started again`)
      await restart(agent).finally(end)
      paragraph(`The ${agent} was stopped and started again just now.`)
    } else
      paragraph(`The ${agent} is not the tutorial’s to stop, so here it runs on. --own starts one that is.`)
    say()
  }

  function conclude({ notice }: Exchange): void {
    if (!notice) return
    say()
    paragraph(`${style('bold', '→')} ${notice}`)
    say()
  }

  /** An answer that came after other things says what it answers. */
  function announceLate(exchange: Exchange): void {
    const { n, title, answer } = exchange
    if (answer.endedAfter === undefined) return
    say(style('bold', `the answer to ${n}, ${titles.get(exchange) ?? title}`))
  }

  function announceFrame({ n, answer }: Exchange, index: number): void {
    say(style('bold', `frame ${index + 1} of ${answer.frames!.length}, on the stream of ${n}`))
  }

  async function next(does: string): Promise<Go> {
    if (!keys) return 'send'
    say(style('dim', `[Enter ${does}, q leaves]`))
    const other = onceOnly(() => say(style('dim', `That key does nothing here. [Enter ${does}, q leaves]`)))
    const key = await keys.press('\r\n q', signal, other).catch(() => 'q')
    return key === 'q' ? 'leave' : 'send'
  }

  function print(rows: Row[]): void {
    paper.rows(rows, ({ recorded = '' }) => {
      const isNew = !told.has(recorded.trim())
      told.add(recorded.trim())
      return isNew
    })
  }
}

const of = (part: Part['in'], findings: PartFinding[]) =>
  findings.filter((finding) => finding.part.in === part)

const gap = (wanted: boolean): Row[] => (wanted ? [{ live: '', recorded: '', kind: 'same' }] : [])

const isLast = ({ kind, exchange, ...moment }: Moment): boolean =>
  kind === 'answer' || ('index' in moment && moment.index === exchange.answer.frames!.length - 1)
