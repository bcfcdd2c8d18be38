// The keys of a run's calls (kind, name, occurrence) and what is recorded under them.
import type { Decision } from '../define-agent.ts'
import type { Message } from '../protocol/index.ts'
import type { Core } from './core.ts'

/** What came of a wait: a message of the client, or a decision. Stored under the key of the call that waits. */
export type WaitRecord = Decision | { outcome: 'message'; message: Message }

export type StepRecord = { value?: unknown } | { error: StepFailure }

export interface StepFailure {
  message: string
  /** Whether it was a TaskError. */
  forCaller: boolean
  /** Set for RateLimited, ISO 8601. */
  resetAt?: string
}

export type Journal = ReturnType<typeof createJournal>

/** `scope` keeps the keys of `canceled` apart from those of `run`. */
export function createJournal({ store }: Pick<Core, 'store'>, task: number, scope = '') {
  const { records } = store.writing
  const occurrences = new Map<string, number>()
  const read = new Set<string>()
  return {
    /** The key of the next call of this kind and name, such as `step:review#1`. */
    next(kind: string, name = ''): string {
      const label = `${scope}${name === '' ? kind : `${kind}:${name}`}`
      const nth = (occurrences.get(label) ?? 0) + 1
      occurrences.set(label, nth)
      return `${label}#${nth}`
    },
    get<T>(key: string): T | undefined {
      const record = records.get<T>(task, key)
      if (record !== undefined) read.add(key)
      return record
    },
    /** For use inside `store.append` or `store.write`. */
    put(key: string, value: unknown): void {
      read.add(key)
      records.put(task, key, value)
    },
    /** The keys of recorded answers and decisions (`waits`) and of other records that this run did not ask for. */
    unread() {
      // What was answered to a wait of a followed task is the follow's own affair.
      const asked = (key: string) => read.has(key) || read.has(key.replace(/\/wait:\d+$/, ''))
      const keys = records.keys(task).filter((key) => !asked(key) && !key.startsWith('canceled/'))
      const isWait = (key: string) => /^(ask#|authorize:|follow:.*\/wait:)/.test(key)
      const isCall = (key: string) => /#\d+$/.test(key)
      return { waits: keys.filter(isWait), others: keys.filter((key) => isCall(key) && !isWait(key)) }
    },
  }
}
