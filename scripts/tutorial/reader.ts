// What the reader of a tutorial sees of a play, moment by moment, and what a key press does.
import type { Capture, Exchange } from '../../capture/model.ts'
import type { Moment } from '../../capture/timeline.ts'
import { decisionOf, seeToDecision } from './decision.ts'
import type { PartFinding } from './judge.ts'
import type { Paper } from './paper.ts'
import type { Part } from './places.ts'
import { headerRows, type Row, rowsOf } from './rows.ts'
import { answerText, recordedText, requestText } from './texts.ts'
import type { Go, Viewer } from './viewer.ts'

export interface ReaderOptions {
  capture: Capture
  /** Resolves with one of the keys; undefined where nobody presses any, and everything goes on by itself. */
  press: ((keys: string, signal: AbortSignal) => Promise<string>) | undefined
  signal: AbortSignal
}

export function createReader(paper: Paper, { capture, press, signal }: ReaderOptions) {
  const { say, style, paragraph, lines } = paper
  const findings: PartFinding[] = []
  const told = new Set<string>()

  const viewer: Viewer = {
    async request(exchange, live) {
      introduce(exchange)
      lines(requestText(live))
      say()
      const decision = press && (await decisionOf(exchange, live))
      if (decision) return seeToDecision(paper, decision, press, signal)
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
    ended(_, found) {
      findings.push(...found)
      for (const { recorded, live } of found)
        say(style('red', `≠ The stream had ${live}; recorded are ${recorded}.`))
    },
  }
  return { viewer, findings }

  function introduce({ n, title, from, to, tell }: Exchange): void {
    say()
    paper.heading(`${n}/${capture.exchanges.length}  ${from} → ${to}  ${title}`)
    say()
    paragraph(tell)
    say()
  }

  function conclude({ notice }: Exchange): void {
    if (!notice) return
    say()
    paragraph(`${style('bold', '→')} ${notice}`)
    say()
  }

  /** An answer that came after other things says what it answers. */
  function announceLate({ n, title, answer }: Exchange): void {
    if (answer.endedAfter !== undefined) say(style('bold', `the answer to ${n}, ${title}`))
  }

  function announceFrame({ n, answer }: Exchange, index: number): void {
    say(style('bold', `frame ${index + 1} of ${answer.frames!.length}, on the stream of ${n}`))
  }

  async function next(does: string): Promise<Go> {
    if (!press) return 'send'
    say(style('dim', `[Enter ${does}, q leaves]`))
    const key = await press('\r\n q', signal).catch(() => 'q')
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
