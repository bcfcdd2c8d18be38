// The grammar of a capture's files, `.http` and `.events.json`: written and parsed here, and nowhere else.
//
// A request is a named block that an editor runs. Its answer stands in a block of its own whose every line is a comment, so that
// httpyac and REST Client skip it.
import type { Json } from '@a2a-kit/task-core'
import { type ParseError, parseTree } from 'jsonc-parser'
import type { Answer, Body, Capture, Exchange, Frame, Header, Mark } from './model.ts'

/** The files of a capture by name. */
export type Files = Map<string, string>

/** Where the parts of an exchange stand: lines of the `.http` file, counted from 1. */
export interface Place {
  title: number
  requestLine: number
  requestBody: number
  answer: number
  answerBody: number
}

export interface ParsedCapture extends Capture {
  /** By the exchange's number. */
  places: Map<number, Place>
}

/** Says what is wrong in a file, and where. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
  constructor(file: string, line: number, what: string) {
    super(`${file}:${line}: ${what}`)
  }
}

/** Of prose, in characters, so that its lines keep to 100 columns with their marks. */
const width = 94
const two = (n: number): string => String(n).padStart(2, '0')
const comment = (line: string): string => (line === '' ? '#' : `# ${line}`)

/** The files of `capture`. Frames of exchange n are in `<name>.events.json`, or `<name>.<nn>.events.json` if several have some. */
export function write(capture: Capture): Files {
  const { name, title, about, variables, secrets, exchanges } = capture
  const streams = exchanges.filter(({ answer }) => answer.frames)
  const events = new Map(
    streams.map(({ n }) => [
      n,
      streams.length === 1 ? `${name}.events.json` : `${name}.${two(n)}.events.json`,
    ]),
  )
  const head = [
    `${name}: ${title}`,
    '',
    ...wrap(about),
    ...(secrets.length > 0 ? [''] : []),
    ...secrets.map((secret) => `{{${secret}}} is a secret, so it is not here: set it where you run this.`),
  ]
  const lines = [
    ...head.map(comment),
    '',
    ...Object.entries(variables).map(([variable, value]) => `@${variable} = ${value}`),
    ...exchanges.flatMap((exchange) => [
      '',
      ...requestLines(exchange),
      '',
      ...answerLines(exchange, events.get(exchange.n)),
    ]),
    '',
  ]
  const files: Files = new Map([[`${name}.http`, lines.join('\n')]])
  for (const { n, answer } of streams) {
    files.set(events.get(n)!, `${JSON.stringify({ exchange: n, frames: answer.frames }, null, 2)}\n`)
  }
  return files
}

function requestLines({ n, title, from, to, after, restarted, tell, request }: Exchange): string[] {
  const marks = after.map(({ exchange, frames }) => `, after frame ${frames} of ${two(exchange)}`)
  if (restarted) marks.unshift(`, after a restart of ${restarted}`)
  return [
    `### ${two(n)} ${title}`,
    ...[`${from} → ${to}${marks.join('')}`, '', ...wrap(tell), ''].map(comment),
    `# @name ex${two(n)}`,
    `${request.method} ${request.url} HTTP/1.1`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(request.body === undefined ? [] : ['', ...textOf(request.body).split('\n')]),
  ]
}

function answerLines({ n, answer, notice }: Exchange, events: string | undefined): string[] {
  const { status, reason, headers, body, ms, endedAfter, frames, cut } = answer
  const facts = [
    `<<< ${two(n)} ${status} +${ms}ms`,
    endedAfter !== undefined && `after=${two(endedAfter)}`,
    frames && `events=${events} frames=${frames.length}`,
    cut && 'cut',
  ]
  return [
    '###',
    ...[
      facts.filter(Boolean).join(' '),
      `HTTP/1.1 ${status} ${reason}`.trimEnd(),
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['', ...textOf(body).split('\n')]),
      ...(notice ? ['', ...wrap(notice).map((line) => `>>> ${line}`)] : []),
    ].map(comment),
  ]
}

/** JSON as it stands in a file; a text that is no JSON stands as it is. */
export const textOf = (body: Exclude<Body, undefined>): string =>
  typeof body === 'string' ? body : JSON.stringify(body, null, 2)

/** Paragraphs, parted by blank lines, in lines of at most `width` characters where words allow. */
function wrap(text: string): string[] {
  return text.split('\n\n').flatMap((paragraph, at) => {
    const lines = [at > 0 ? [''] : []].flat()
    let line = ''
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line]
  })
}

/** The paragraphs that `wrap` made lines of. */
const unwrap = (lines: string[]): string =>
  lines
    .join('\n')
    .trim()
    .replace(/(?<!\n)\n(?!\n)/g, ' ')

/**
 * Reads the capture `name` from its files.
 * @throws FormatError at the first line that the grammar does not know, and where the frames are not those that the answer counts
 */
export function parse(name: string, read: (file: string) => string): ParsedCapture {
  const file = `${name}.http`
  const lines = linesOf(file, read)
  let at = 0
  const fail = (what: string, line = at): never => {
    throw new FormatError(file, line + 1, what)
  }
  const take = (pattern: RegExp, what: string): RegExpExecArray => {
    const found = pattern.exec(lines[at] ?? '')
    if (!found) return fail(`${what} was expected, and there is "${lines[at] ?? 'the end'}".`)
    at += 1
    return found
  }
  const takeAll = (pattern: RegExp): RegExpExecArray[] => {
    const found: RegExpExecArray[] = []
    while (at < lines.length && pattern.test(lines[at]!)) found.push(pattern.exec(lines[at++]!)!)
    return found
  }
  const comments = () => takeAll(/^#(?! @name )(?: (.*))?$/).map(([, text = '']) => text)
  const bodyOf = (text: string[], line: number): Json => {
    return /^[[{]/.test(text[0]!) ? jsonIn(text, file, line) : text.join('\n')
  }

  const [, title] = take(new RegExp(`^# ${name}: (.+)$`), `"# ${name}: title"`)
  const head = comments()
  const ofSecret = /^\{\{(\w+)\}\} is a secret, /
  const secrets = head.flatMap((line) => ofSecret.exec(line)?.[1] ?? [])
  const about = unwrap(head.filter((line) => !ofSecret.test(line)))
  take(/^$/, 'an empty line')
  const variables = Object.fromEntries(
    takeAll(/^@(\w+) = (.+)$/).map(([, variable, value]) => [variable, value!]),
  )
  const exchanges: Exchange[] = []
  const places = new Map<number, Place>()

  while (at < lines.length - 1) {
    take(/^$/, 'an empty line')
    const titleLine = at
    const n = exchanges.length + 1
    const [, number, exchangeTitle] = take(/^### (\d\d) (.+)$/, `"### ${two(n)} title"`)
    if (number !== two(n)) fail(`Exchange ${two(n)} was expected, and there is ${number}.`, titleLine)
    const [, from, to, restarted, marks] = take(
      /^# (.+) → ([^,]+)(?:, after a restart of ([\w-]+))?((?:, after frame \d+ of \d\d)*)$/,
      '"# who → whom"',
    )
    const after = [...marks!.matchAll(/frame (\d+) of (\d\d)/g)].map(
      ([, frames, exchange]): Mark => ({ exchange: Number(exchange), frames: Number(frames) }),
    )
    const tell = unwrap(comments())
    take(new RegExp(`^# @name ex${two(n)}$`), `"# @name ex${two(n)}"`)
    const requestLine = at
    const [, method, url] = take(/^([A-Z]+) (\S+) HTTP\/1\.1$/, '"METHOD url HTTP/1.1"')
    const headers = takeAll(/^([\w-]+): (.*)$/).map(([, key, value]): Header => [key!, value!])
    take(/^$/, 'an empty line')
    const requestBody = at
    const text: string[] = []
    while (at < lines.length && lines[at] !== '###') text.push(lines[at++]!)
    if (text.length > 0 && text.pop() !== '') fail('An empty line was expected before "###".')

    take(/^###$/, '"###"')
    const answerLine = at
    const [, of, status, ms, rest] = take(
      /^# <<< (\d\d) (\d{3}) \+(\d+)ms(.*)$/,
      `"# <<< ${two(n)} status +ms"`,
    )
    if (of !== two(n)) fail(`The answer to ${two(n)} was expected, and there is ${of}.`, answerLine)
    const [, reason] = take(new RegExp(`^# HTTP/1\\.1 ${status} ?(.*)$`), `"# HTTP/1.1 ${status}"`)
    const answerHeaders = takeAll(/^# ([\w-]+): (.*)$/).map(([, key, value]): Header => [key!, value!])
    const noted = comments()
    const noticeAt = noted.findIndex((line) => line.startsWith('>>> '))
    const bodyLines = noted.slice(0, noticeAt === -1 ? undefined : noticeAt)
    const notice =
      noticeAt === -1 ? '' : unwrap(noted.slice(noticeAt).map((line) => line.replace(/^>>> ?/, '')))
    while (bodyLines.at(-1) === '') bodyLines.pop()
    const answerBody = answerLine + 2 + answerHeaders.length + 1
    const answer: Answer = { status: Number(status), reason: reason!, headers: answerHeaders, ms: Number(ms) }
    if (bodyLines.length > 1) answer.body = bodyOf(bodyLines.slice(1), answerBody)
    const endedAfter = / after=(\d\d)/.exec(rest!)?.[1]
    if (endedAfter) answer.endedAfter = Number(endedAfter)
    const [, events, count] = / events=(\S+) frames=(\d+)/.exec(rest!) ?? []
    if (events) Object.assign(answer, { events, frames: framesIn(events, n, read) })
    if (events && answer.frames!.length !== Number(count)) {
      fail(`${count} frames are counted here, and ${events} has ${answer.frames!.length}.`, answerLine)
    }
    if (/ cut$/.test(rest!)) answer.cut = true
    const request = {
      method: method!,
      url: url!,
      headers,
      ...(text.length > 0 && { body: bodyOf(text, requestBody) }),
    }
    exchanges.push({
      n,
      title: exchangeTitle!,
      from: from!,
      to: to!,
      after,
      ...(restarted && { restarted }),
      tell,
      request,
      answer,
      notice,
    })
    places.set(n, {
      title: titleLine + 1,
      requestLine: requestLine + 1,
      requestBody: requestBody + 1,
      answer: answerLine + 1,
      answerBody: answerBody + 1,
    })
  }
  return { name, title: title!, about, variables, secrets, exchanges, places }
}

/** @throws FormatError for a file that is not there, and one whose lines end otherwise */
function linesOf(file: string, read: (file: string) => string): string[] {
  try {
    const lines = read(file).split('\n')
    const odd = lines.findIndex((line) => line.endsWith('\r'))
    if (odd !== -1)
      throw new FormatError(file, odd + 1, 'Lines must end with LF, and this one ends with CR LF.')
    return lines
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new FormatError(file, 1, 'This file is missing. `npm run capture` writes it.')
  }
}

/** The JSON in `lines`, which stand in `file` from line `start` on, counted from 0. */
function jsonIn(lines: string[], file: string, start = 0): Json {
  const text = lines.join('\n')
  try {
    return JSON.parse(text) as Json
  } catch {
    const errors: ParseError[] = []
    parseTree(text, errors, { disallowComments: true })
    const before = text.slice(0, errors[0]?.offset ?? 0).split('\n')
    throw new FormatError(file, start + before.length, 'This is no JSON.')
  }
}

function framesIn(file: string, exchange: number, read: (file: string) => string): Frame[] {
  const events = jsonIn(linesOf(file, read), file)
  if (!isEvents(events))
    throw new FormatError(file, 1, 'This is not { "exchange", "frames": [{ "atMs", "id", "data" }] }.')
  if (events.exchange !== exchange)
    throw new FormatError(file, 2, `These are the frames of exchange ${events.exchange}, not ${exchange}.`)
  return events.frames
}

function isEvents(value: unknown): value is { exchange: number; frames: Frame[] } {
  const { exchange, frames } = (value ?? {}) as { exchange?: unknown; frames?: unknown }
  const isFrame = (frame: Partial<Frame> | null) =>
    typeof frame?.atMs === 'number' && frame.data !== undefined
  return typeof exchange === 'number' && Array.isArray(frames) && frames.every(isFrame)
}
