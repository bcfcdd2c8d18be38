// A snippet of a capture: what a `snippet` marker names, as a fenced block and the line that says where it is from.
import type { ParsedCapture } from '../../capture/format.ts'
import type { Body, Exchange, Header } from '../../capture/model.ts'
import { linesAt, type Selection } from './json-lines.ts'
import { captureFolder, captureNamed, exchangeNamed } from './library.ts'
import { fenced, link } from './markdown.ts'
import { type Path, parsePath } from './path.ts'
import { MarkerError } from './problem.ts'

const grammar =
  /^(?<capture>\S+) (?<exchange>ex\d\d) (?<what>request|answer|frame (?<frame>\d+))(?: (?!cut:|only:)(?<path>\S+))?(?: (?<how>cut|only): (?<paths>.+))?$/

export const snippetForm =
  'A snippet is "<capture> <exchange> request|answer|frame <n> [body or a path] [cut: or only: paths, parted by commas]", such as "06 ex01 answer result.task cut: history".'

/**
 * @param words what the marker says after `snippet`
 * @param page where it stands, from the project's folder
 * @throws MarkerError where that is not there
 */
export function snippet(captures: ParsedCapture[], words: string, page: string): string[] {
  const { capture: word, exchange: name, what, frame, path, how, paths } = grammar.exec(words)?.groups ?? {}
  if (!word || !name || !what) throw new MarkerError(`"${words}" is no snippet. ${snippetForm}`)
  const capture = captureNamed(captures, word)
  const exchange = exchangeNamed(capture, name)
  const selection = how
    ? { how: how as 'cut' | 'only', paths: paths!.split(/, */).map(parsePath) }
    : undefined
  const place = path === undefined || path === 'body' ? [] : parsePath(path)

  if (frame) {
    const { frames, events } = exchange.answer
    const found = frames?.[Number(frame) - 1]
    if (!found) {
      throw new MarkerError(
        `There is no frame ${frame} of ${name} in ${capture.name}. There are ${frames?.length ?? 0} frames.`,
      )
    }
    const from = `${link(page, `${captureFolder}/${events}`)}, frame ${frame} of ${name}.`
    return [...fenced('json', linesAt(found.data, place, selection)), '', `From ${from}`]
  }
  const side = what === 'request' ? requestOf(exchange) : answerOf(exchange)
  const lines = path === undefined ? wholeLines(side, selection) : bodyLines(side, place, selection)
  const from = `${link(page, `${captureFolder}/${capture.name}.http`)}, ${what} of ${name}.`
  return [...fenced(path === undefined ? 'http' : 'json', lines), '', `From ${from}`]
}

/** A request or an answer, with its first line. */
interface Side {
  first: string
  headers: Header[]
  body?: Body
}

const requestOf = ({ request }: Exchange): Side => ({
  ...request,
  first: `${request.method} ${request.url} HTTP/1.1`,
})

const answerOf = ({ answer }: Exchange): Side => ({
  ...answer,
  first: `HTTP/1.1 ${answer.status} ${answer.reason}`.trimEnd(),
})

function wholeLines(side: Side, selection: Selection | undefined): string[] {
  const head = [side.first, ...side.headers.map(([name, value]) => `${name}: ${value}`)]
  return side.body === undefined ? head : [...head, '', ...bodyLines(side, [], selection)]
}

function bodyLines({ body }: Side, path: Path, selection: Selection | undefined): string[] {
  if (body === undefined) throw new MarkerError('It has no body.')
  if (typeof body !== 'string') return linesAt(body, path, selection)
  if (path.length > 0 || selection) throw new MarkerError('Its body is no JSON, so no path leads into it.')
  return body.split('\n')
}
