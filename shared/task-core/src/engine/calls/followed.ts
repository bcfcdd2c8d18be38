// What is stored about a followed task: where it is, what it asked, who answered.
import type { AskedQuestion, FollowedTask, RemoteAgent } from '../../define-agent.ts'
import {
  type Content,
  isInterrupted,
  type Message,
  type Part,
  partsOf,
  type Task,
  textOf,
} from '../../protocol/index.ts'

export interface Answer {
  by: 'caller' | 'self'
  parts: Part[]
}

/** A wait of the other task; what is missing is not known yet. */
export interface Asked extends Partial<AskedQuestion> {
  kind: AskedQuestion['kind']
  text: string
  at: string
  /** Tells one wait from the next. */
  identity: string
  /** What was or will be sent to it from here. */
  sent?: Answer
  /** Why the other agent did not take what the caller sent before. */
  refusal?: string
}

export interface FollowRecord {
  agent: string
  url: string
  /** The id of the first message: the same at every try. */
  messageId: string
  startedAt: string
  /** Known once the other agent has answered that message. */
  taskId?: string
  contextId?: string
  lastEventId?: string
  /** Its earlier tasks for the same work, which it no longer knows. */
  lost?: string[]
  asked: Asked[]
  result?: FollowedTask
  /** Why it was given up. */
  failure?: string
}

export const newFollow = (
  { name: agent, url }: RemoteAgent,
  messageId: string,
  startedAt: string,
): FollowRecord => ({ agent, url, messageId, startedAt, asked: [] })

/** What the other agent is asked to do: the same message at every try. */
export const firstMessage = ({ messageId, lost }: FollowRecord, content: Content): Message => ({
  messageId,
  role: 'ROLE_USER',
  parts: partsOf(content),
  ...(lost && { referenceTaskIds: lost }),
})

/** A peer that loses every task would be asked for ever. */
const mostLost = 3

/**
 * Gets the record ready for another task in place of one that the other agent no longer knows: it was purged there, or the other agent has
 * lost its data. What that one asked is settled.
 * @returns false, with nothing changed, where there was none or too many were lost
 */
export function startOver(record: FollowRecord, at: string): boolean {
  const { taskId, lost = [] } = record
  if (taskId === undefined || lost.length === mostLost) return false
  for (const asked of record.asked) if (asked.answeredBy === undefined) settle(asked, 'outside', at)
  record.lost = [...lost, taskId]
  record.messageId = `${record.messageId.replace(/\/again:\d+$/, '')}/again:${record.lost.length}`
  delete record.taskId
  delete record.contextId
  delete record.lastEventId
  return true
}

/** The wait that `remote` is in, noted in the record; undefined if it is in none, or in one that is settled. */
export function openWait(record: FollowRecord, remote: Task, wentOnAt?: string): Asked | undefined {
  const { state, message, timestamp = '' } = remote.status
  const identity = `${state} ${message?.messageId ?? timestamp}`
  const known = record.asked.findLast((asked) => asked.identity === identity)
  if (known) return known.answeredBy === undefined ? known : undefined
  settleOutside(record, remote, wentOnAt)
  if (!isInterrupted(state)) return undefined
  const kind = state === 'TASK_STATE_INPUT_REQUIRED' ? 'question' : 'authorization'
  const asked: Asked = { kind, text: textOf(message), at: timestamp, identity }
  record.asked.push(asked)
  return asked
}

/** Notes who answered, when, and with what text, if it is known. */
export function settle(asked: Asked, answeredBy: AskedQuestion['answeredBy'], answeredAt: string, text = '') {
  Object.assign(asked, { answeredBy, answeredAt, ...(text ? { answer: text } : {}) })
}

/**
 * Settles what is still open as answered from outside: the other task went on, at `wentOnAt` if that was seen, without a word
 * from here.
 */
export function settleOutside(record: FollowRecord, { status }: Task, wentOnAt?: string): void {
  for (const asked of record.asked) {
    if (asked.answeredBy !== undefined) continue
    const before = wentOnAt === undefined || Date.parse(wentOnAt) < Date.parse(asked.at)
    const at = before ? status.timestamp : wentOnAt
    settle(asked, 'outside', at ?? '')
  }
}

export const resultOf = (record: FollowRecord, task: Task): FollowedTask => ({
  agent: record.agent,
  task,
  artifacts: task.artifacts ?? [],
  startedAt: record.startedAt,
  endedAt: task.status.timestamp ?? '',
  asked: record.asked.map(
    ({ identity: _identity, sent: _sent, refusal: _refusal, ...asked }) => asked as AskedQuestion,
  ),
})

/** True for the record of a follow that has begun and has no result. */
export const isOpenFollow = ({ key, value }: { key: string; value: unknown }): boolean =>
  /^follow:.*#\d+$/.test(key) && !(value as FollowRecord).result
