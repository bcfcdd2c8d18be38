// Errors that nobody will ever hear of.
import type { ChangedFile } from '../diff.ts'
import { isSource } from '../paths.ts'
import { fileRule, findInAdded, type Place } from './rule.ts'

const emptyCatch = /\bcatch\s*(?:\([^()]*\))?\s*\{\s*\}/g
const emptyFunction =
  '(?:async\\s+)?(?:(?:\\(\\s*\\w*\\s*\\)|\\w+)\\s*=>\\s*(?:\\{\\s*\\}|undefined|null|void 0)|function\\s*\\w*\\(\\s*\\w*\\s*\\)\\s*\\{\\s*\\})'
const emptyHandler = new RegExp(`\\.catch\\(\\s*${emptyFunction}\\s*,?\\s*\\)`, 'g')

export const swallowedError = fileRule(
  { name: 'swallowed-error', severity: 'major', finds: 'an empty `catch`, `.catch(() => {})`' },
  isSource,
  (file) => [
    ...uncommented(
      file,
      emptyCatch,
      'The error is swallowed: handle it, log it, or say in a comment why not',
    ),
    ...uncommented(
      file,
      emptyHandler,
      'The rejection is swallowed: handle it, log it, or say in a comment why not',
    ),
  ],
)

/** Matches without a comment: one that says why makes an empty handler a decision. */
const uncommented = (file: ChangedFile, pattern: RegExp, message: string): Place[] =>
  findInAdded(file, 'code', pattern, ({ index, 0: found }) =>
    file.source.comments.slice(index, index + found.length).trim() === '' ? message : undefined,
  )
