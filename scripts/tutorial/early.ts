// Whether an answer came before the task was where it was in the capture.
import type { Exchange } from '../../capture/model.ts'
import { isTree } from './compare.ts'
import { isRead } from './requests.ts'
import type { LiveAnswer } from './wire.ts'

/**
 * Whether the task is not yet where it was in the capture, and the request can be sent again: it only reads, or was refused, so that
 * nothing came of it.
 */
export function isEarly(exchange: Exchange, live: LiveAnswer): boolean {
  const { answer } = exchange
  const other = isRefusal(live) !== isRefusal(answer) || states(live.body) !== states(answer.body)
  return other && (isRead(exchange) || isRefusal(live))
}

const isRefusal = ({ status, body }: Pick<LiveAnswer, 'status' | 'body'>): boolean =>
  status >= 400 || (isTree(body) && Object.hasOwn(body, 'error'))

/** All states in `value`, in order. */
function states(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, inner]) => (name === 'state' ? String(inner) : states(inner)))
    .filter(Boolean)
    .join()
}
