// The log: JSON lines, or lines for people, each with the trace and task of the work that it comes from; no secrets, no forged lines.
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import { activeIds, outside } from './scope.ts'

export interface LogOptions {
  /** The agent's name. */
  name: string
  level?: string
  format?: 'json' | 'pretty'
  /** A file to add the lines to; by default they go to standard output. */
  file?: string
  /** What takes the lines instead. */
  destination?: DestinationStream
}

/** Fields that nothing should log. If something does, an error of a library for example, their values are not shown. */
const secretFields = [
  'authorization',
  'Authorization',
  'cookie',
  'token',
  'credentials',
  'password',
  'secret',
]
const places = ['', 'headers.', 'req.headers.', 'err.', 'err.headers.', 'err.options.headers.']
const censor = '[redacted]'

/**
 * What looks like a secret in a text: a bearer token, a JWT, or the user and password in an address. Each begins where no other try
 * has begun in the same run of characters: else a long line, which a caller may have written, would hold up the process for hours.
 */
const secretTexts =
  /(\bbearer +)[^\s"\\,]+|(?<![\w-])eyJ[\w-]{5,}\.[\w-]+\.[\w-]*|(?<=\/\/)(?=[^\s/"\\@:]*:)[^\s/"\\@]+(?=@)/gi

/** Characters that steer a terminal or turn its text round, and that JSON does not escape. */
const steering = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
/** The escapes of these and of those that JSON does escape, but for tabs and ends of lines. */
const escapes = /\\(\\|[bfr]|u00[01][\da-f]|u00[789][\da-f]|u061c|u20[0-6][\da-f])/gi

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Every one of them has one of these in it, which is found far sooner. */
const secretMarks = /bearer|eyJ|\/\//i

const redacted = (line: string): string =>
  secretMarks.test(line) ? line.replace(secretTexts, (_, before = '') => `${before}[redacted]`) : line

/** A line of JSON with its secrets taken out, and nothing in it that a terminal obeys. */
const clean = (line: string): string => redacted(line).replace(steering, escaped)

/** The same for a reader that shows the texts themselves: what was escaped stays so. */
const cleanTwice = (line: string): string =>
  clean(line).replace(escapes, (whole, what) => (what === '\\' ? whole : `\\${whole}`))

/** The same fields in any object that a line holds, but for `err`, whose places are named above. pino's own wildcard for that takes four times as long as all the rest of a line. */
function withoutSecrets(line: Record<string, unknown>): Record<string, unknown> {
  for (const name in line) {
    const value = line[name]
    if (name === 'err' || typeof value !== 'object' || value === null) continue
    if (secretFields.some((field) => Object.hasOwn(value, field))) line = { ...line, [name]: censored(value) }
  }
  return line
}

const censored = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretFields.includes(name) ? censor : inner]),
  )

export function createLog({ name, level = 'info', format = 'json', file, destination }: LogOptions): Logger {
  const options: LoggerOptions = {
    name,
    level,
    mixin: activeIds,
    redact: { paths: places.flatMap((at) => secretFields.map((field) => at + field)), censor },
    formatters: { log: withoutSecrets },
    hooks: { streamWrite: format === 'pretty' ? cleanTwice : clean },
  }
  const to = destination ?? gathered(pino.destination({ dest: file ?? 1, sync: true }))
  if (format === 'json') return pino(options, to)
  const readable = createReadable()
  return pino(options, { write: (line) => void to.write(readable(line)) })
}

/** Writes the lines of a turn of the event loop at once, at its end or that of the process: each write by itself takes as long as its line. */
function gathered(to: DestinationStream): DestinationStream {
  let lines = ''
  const flush = () => {
    const written = lines
    lines = ''
    if (written) to.write(written)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (lines === '') setImmediate(outside, flush)
      lines += line
    },
  }
}

/** Loaded only where people read the log. */
function createReadable(): (line: string) => string {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return prettyFactory(pretty)
}

const pretty: PrettyOptions = {
  ignore: 'pid,hostname,req,traceId',
  translateTime: 'SYS:HH:MM:ss',
  singleLine: true,
  // One line is one line: a text with a line break would forge the next one.
  messageFormat: (line, key, _level, { colors }) => colors.cyan(oneLine(String(line[key] ?? ''))),
}

const oneLine = (text: string): string => text.replaceAll('\n', '\\n')
