// Code of another language built from strings: SQL, shell commands, JavaScript itself.
import type { ChangedFile } from '../diff.ts'
import { isSource } from '../paths.ts'
import type { Token } from '../source.ts'
import { fileRule, findInAdded, firstAdded, type Place } from './rule.ts'
import { type BuiltString, builtStringAt, constantsOf } from './strings.ts'

const statement = /^\s*(?:SELECT\b[\s\S]+\bFROM\b|INSERT\s+INTO\b|UPDATE\b[\s\S]+\bSET\b|DELETE\s+FROM\b)/
const condition = /^\s*(?:WHERE|AND|OR|HAVING)\s+[\w."]+\s*(?:=|<|>|LIKE|IN)/
const takesSql = /^(?:query|execute|prepare|raw|all|get|run)$/

export const sqlFromStrings = fileRule(
  { name: 'sql-from-strings', severity: 'critical', finds: 'SQL with values put into its text' },
  isSource,
  (file) =>
    builtStrings(file, 'SQL is put together from strings: pass the values as parameters', (built, before) => {
      // A tag such as sql`…` gets the values apart from the text.
      if (before.tag) return false
      const text = takesSql.test(before.callee) ? built.text.toUpperCase() : built.text
      return statement.test(text) || condition.test(text)
    }),
)

export const shellInjection = fileRule(
  { name: 'shell-injection', severity: 'critical', finds: '`exec` of a command put together from strings' },
  isSource,
  (file) =>
    builtStrings(
      file,
      'A shell reads this command: use execFile with an array of arguments',
      (_, before) =>
        /^exec(?:Sync|Async)?$/.test(before.callee) &&
        /^(?:|child_process|childProcess|cp)$/.test(before.object),
    ),
)

export const codeFromStrings = fileRule(
  { name: 'code-from-strings', severity: 'critical', finds: '`eval` and `new Function`' },
  isSource,
  (file) =>
    findInAdded(
      file,
      'code',
      /(?<![.\w$]|function )eval\s*\(|(?<![.\w$])new\s+Function\s*\(/g,
      'This runs a string as code: whoever writes the string runs the service',
    ),
)

/** What stands before a string: the tag of a template, or `object.callee(` of a call. */
interface Before {
  tag: boolean
  callee: string
  object: string
}

function builtStrings(
  file: ChangedFile,
  message: string,
  isBad: (built: BuiltString, before: Before) => boolean,
): Place[] {
  const { tokens } = file.source
  const constants = constantsOf(tokens)
  return tokens.flatMap((_, index) => {
    const built = builtStringAt(tokens, index, constants)
    if (!built || !isBad(built, whatIsBefore(tokens, index))) return []
    const line = firstAdded(file, built.start, built.end)
    return line === undefined ? [] : [{ file: file.path, line, message }]
  })
}

const keyword = /^(?:return|await|yield|case|default|else|throw|typeof|void|in|of)$/

function whatIsBefore(tokens: Token[], index: number): Before {
  const value = (back: number) => tokens[index - back]?.value ?? ''
  const last = value(1)
  const isName = tokens[index - 1]?.type === 'IdentifierName' && !keyword.test(last)
  return {
    // sql`…`, sql(options)`…` and sql<Row>`…`
    tag: tokens[index]?.type === 'TemplateHead' && (isName || /^[)\]>]$/.test(last)),
    callee: last === '(' ? value(2) : '',
    object: last === '(' && value(3) === '.' ? value(4) : '',
  }
}
