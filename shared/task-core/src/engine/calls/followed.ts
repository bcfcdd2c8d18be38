// What is stored about a followed task: where it is, what it asked, who answered.
import type { AskedQuestion, FollowedTask } from '../../define-agent.ts'
import { type Task, textOf } from '../../protocol/index.ts'

/** A wait of the other task; what is missing is not known yet. */
export interface Asked extends Partial<AskedQuestion> {
  kind: AskedQuestion['kind']
  text: string
  at: string
  /** Tells one wait from the next. */
  identity: string
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
  asked: Asked[]
  result?: FollowedTask
}

/** The wait that `remote` is in: the last one of the record if it is that, else a new one. */
export function openQuestion(record: FollowRecord, remote: Task, wentOnAt?: string): Asked {
  const { state, message, timestamp = '' } = remote.status
  const identity = `${state} ${message?.messageId ?? timestamp}`
  const last = record.asked.at(-1)
  if (last?.identity === identity && last.answeredBy === undefined) return last
  settleOutside(record, remote, wentOnAt)
  const kind = state === 'TASK_STATE_INPUT_REQUIRED' ? 'question' : 'authorization'
  const asked: Asked = { kind, text: textOf(message), at: timestamp, identity }
  record.asked.push(asked)
  return asked
}

/** Marks what is still open as answered from outside: the other task went on, at `wentOnAt` if that was seen, without a word from here. */
export function settleOutside(record: FollowRecord, { status }: Task, wentOnAt?: string): void {
  for (const asked of record.asked) {
    if (asked.answeredBy !== undefined) continue
    const answeredAt = wentOnAt !== undefined && wentOnAt >= asked.at ? wentOnAt : status.timestamp
    Object.assign(asked, { answeredBy: 'outside', answeredAt: answeredAt ?? '' })
  }
}

export const resultOf = (record: FollowRecord, task: Task): FollowedTask => ({
  agent: record.agent,
  task,
  artifacts: task.artifacts ?? [],
  startedAt: record.startedAt,
  endedAt: task.status.timestamp ?? '',
  asked: record.asked.map(({ identity: _identity, ...asked }) => asked as AskedQuestion),
})

/** True for the record of a follow that has begun and not ended. */
export const isOpenFollow = ({ key, value }: { key: string; value: unknown }): boolean =>
  /^follow:.*#\d+$/.test(key) && !(value as FollowRecord).result
