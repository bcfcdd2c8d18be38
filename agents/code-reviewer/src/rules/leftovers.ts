// Marks in the text: of an unfinished merge, of work that is put off, of a check that is switched off.
import { isCode } from '../paths.ts'
import { fileRule, findInAdded } from './rule.ts'

export const mergeConflict = fileRule(
  { name: 'merge-conflict', severity: 'critical', finds: 'conflict markers' },
  () => true,
  (file) =>
    // A row of seven = is also how a heading is underlined, so only the ends of a conflict count.
    findInAdded(file, 'text', /^(?:<{7}|>{7}) \S.*$/gm, 'A merge conflict is not resolved here'),
)

export const todoWithoutTicket = fileRule(
  { name: 'todo-without-ticket', severity: 'info', finds: 'TODO or FIXME without a ticket or link' },
  isCode,
  (file) =>
    findInAdded(file, 'comments', /(?<![\w-])(TODO|FIXME|XXX)(?![\w-]).*$/gm, ([rest, mark]) =>
      /#\d+|\b[A-Z][A-Z0-9]+-\d+\b|https?:\/\//.test(rest)
        ? undefined
        : `This ${mark} names no ticket: nobody will find it again`,
    ),
)

export const suppressedCheck = fileRule(
  {
    name: 'suppressed-check',
    severity: 'minor',
    finds: '`@ts-ignore`, `@ts-nocheck`, `eslint-disable` without a reason',
  },
  isCode,
  (file) =>
    findInAdded(
      file,
      'comments',
      /@ts-(?:ignore|nocheck)\b[^\n]*|@ts-expect-error[ \t]*(?=\*\/|$)|\beslint-disable\b(?![^\n]* -- \S)[^\n]*/gm,
      'A check is switched off here without a reason',
    ),
)
