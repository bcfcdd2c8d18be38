// A log that a test can read.
import { type Logger, pino } from 'pino'

export interface LogLine {
  level: number
  msg: string
  err?: { message: string; stack: string; cause?: unknown }
  // biome-ignore lint/suspicious/noExplicitAny: lines have what their writers gave them
  [field: string]: any
}

/** A log and its lines so far; `failures` are those of level error and above. */
export function readableLog(): { log: Logger; lines: LogLine[]; failures(): LogLine[] } {
  const lines: LogLine[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines, failures: () => lines.filter(({ level }) => level >= 50) }
}
