// The steps of a figure, from a capture: one for each request, answer and frame, in the order in which they are read.
import type { Capture, Exchange } from '../../capture/model.ts'
import { type Moment, timeline } from '../../capture/timeline.ts'
import type { Figure, Open, Step, Wait } from './figure/figure.ts'
import { messageIn, requestLabel, resultLabel } from './labels.ts'
import { statusesIn } from './tables/statuses.ts'

/** What a figure has from its capture; the rest of it is written by hand. */
export type Course = Pick<Figure, 'lifelines' | 'steps'> & Required<Pick<Figure, 'open' | 'waits'>>

/** @returns as many steps as `timeline` gives moments: step n is the moment at n - 1 */
export function courseOf({ exchanges }: Capture): Course {
  const moments = timeline(exchanges)
  return {
    lifelines: [...new Set(exchanges.flatMap(({ from, to }) => [from, to]))],
    steps: moments.map((moment, at) => stepOf(moment, at + 1)),
    open: openIn(moments),
    waits: waitsIn(moments),
  }
}

/** True where an operator decides: plain HTTP, no operation of A2A. */
const isOutside = ({ request }: Exchange): boolean => /\/(approve|deny)\//.test(request.url)

/** What an answer or a frame carries. */
function resultOf(moment: Moment) {
  const { answer } = moment.exchange
  if (moment.kind === 'request') return undefined
  return moment.kind === 'frame' ? answer.frames![moment.index]!.data : answer.body
}

function stepOf(moment: Moment, n: number): Step {
  const { kind, exchange } = moment
  const { from, to } = exchange
  const outside = isOutside(exchange) && ('outside' as const)
  if (kind === 'request') return { n, kind: outside || 'request', from, to, ...requestLabel(exchange) }
  const back = { from: to, to: from, ...resultLabel(exchange, resultOf(moment)) }
  return { n, kind: outside || (kind === 'frame' ? 'frame' : 'reply'), ...back }
}

/** Exchanges during which something else happens, and streams. */
function openIn(moments: Moment[]): Open[] {
  return moments.flatMap(({ kind, exchange }, at) => {
    const end = moments.findLastIndex((moment) => moment.exchange === exchange)
    return kind === 'request' && end > at + 1 ? [{ from: at + 1, to: end + 1 }] : []
  })
}

/** From the step that shows a task in a state that waits, to the request that lets it go on. */
function waitsIn(moments: Moment[]): Wait[] {
  const waits: Wait[] = []
  moments.forEach((moment, at) => {
    for (const { taskId, state } of statusesIn(resultOf(moment))) {
      const text = waitText[state]
      const end = moments.findIndex((later, index) => index > at && goesOn(later, taskId))
      const known = waits.some((wait) => wait.to === end + 1 && wait.on === moment.exchange.to)
      if (text && end !== -1 && !known)
        waits.push({ on: moment.exchange.to, from: at + 1, to: end + 1, text })
    }
  })
  return waits
}

const waitText: Record<string, string> = {
  TASK_STATE_INPUT_REQUIRED: 'waits for an answer',
  TASK_STATE_AUTH_REQUIRED: 'waits for an operator',
}

/** True for a request that answers the task's question, or decides. */
const goesOn = ({ kind, exchange }: Moment, taskId: string): boolean =>
  kind === 'request' &&
  (messageIn(exchange.request.body)?.taskId === taskId ||
    (isOutside(exchange) && exchange.request.url.endsWith(taskId)))
