// What the planner is asked to ship.
import { dataOf, type Json, type Message, type Struct, TaskError } from '@a2a-kit/task-core'

export interface Change {
  repository: string
  /** The unified diff to be reviewed. */
  diff: string
  build: string
  environment: string
  /** What the diff is against, if the caller knows it. */
  baseBranch?: string
}

const needed = ['repository', 'diff', 'build', 'environment'] as const
const example =
  '{"repository": "payments-api", "diff": "diff --git …", "build": "2026.10.06-1", "environment": "staging", "baseBranch": "main"}'

/**
 * Reads the change from a data part; the diff may also come as a file part.
 * @throws TaskError that names what is missing, with an example
 */
export function parseChange(message: Message): Change {
  const data = dataOf(message)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new TaskError(`Send the change as a data part, such as ${example} (baseBranch may be left out).`)
  }
  const given: Struct = isText(data.diff) ? data : { ...data, diff: diffFile(message) }
  const missing = needed.filter((name) => !isText(given[name]))
  if (missing.length > 0) {
    throw new TaskError(`The change lacks ${missing.join(', ')} as text. Send for example ${example}.`)
  }
  const { repository, diff, build, environment, baseBranch } = given as unknown as Change
  return { repository, diff, build, environment, ...(isText(baseBranch) ? { baseBranch } : {}) }
}

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== ''

/** The text of the first file part, '' if there is none. */
function diffFile({ parts }: Message): string {
  const file = parts.find(({ raw }) => raw !== undefined)?.raw
  return file === undefined ? '' : Buffer.from(file, 'base64').toString('utf8')
}
