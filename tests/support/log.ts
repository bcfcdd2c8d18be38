// A log that a test can read.
import { createLog } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import type { Logger } from 'pino'
import { expect } from 'vitest'
import { says } from './talk.ts'

export interface LogLine {
  level: number
  msg: string
  err?: { message: string; stack: string; cause?: unknown }
  // biome-ignore lint/suspicious/noExplicitAny: lines have what their writers gave them
  [field: string]: any
}

/** An agent's log and its lines so far; `failures` are those of level error and above. */
export function readableLog(level = 'debug'): { log: Logger; lines: LogLine[]; failures(): LogLine[] } {
  const lines: LogLine[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = createLog({ name: 'test', level, destination })
  return { log, lines, failures: () => lines.filter(({ level }) => level >= 50) }
}

/** Holds that the task failed without its reason, and that the log has it under the reference that the task names. @returns the reason */
export function expectExplained(task: Task, { failures }: ReturnType<typeof readableLog>): string {
  expect(task.status.state).toBe('TASK_STATE_FAILED')
  const [, reference] =
    /^The agent failed. Its log explains it under reference (\S+)\.$/.exec(says(task)) ?? []
  const line = failures().find((one) => one.reference === reference)
  expect(line, says(task)).toMatchObject({ taskId: task.id, msg: 'The agent failed.' })
  return line!.err!.message
}
