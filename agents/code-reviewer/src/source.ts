// The text of one file in three views of the same length, so that a rule looks at code without its strings and comments.
import jsTokens from 'js-tokens'
import { isCode } from './paths.ts'

export interface Token {
  type: string
  value: string
  /** Where it starts in the text. */
  start: number
}

/** For a file that is not JavaScript or TypeScript, `code` is the text, and there are no comments and no tokens. */
export interface Source {
  text: string
  /** The text with comments and the contents of strings, templates and regular expressions as blanks. */
  code: string
  /** The text with all but its comments as blanks. */
  comments: string
  /** Without white space and comments. */
  tokens: Token[]
  /** The number of the line, from 1, that holds the character at `offset`. */
  lineAt(offset: number): number
}

// Such a line is generated or data; nobody reviews it, and patterns would only take long on it.
const longestLine = 1000

export function readSource(path: string, lines: string[]): Source {
  const text = lines.map((line) => (line.length > longestLine ? '' : line)).join('\n')
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  const lineAt = (offset: number) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
  if (!isCode(path)) return { text, code: text, comments: blank(text), tokens: [], lineAt }

  const tokens: Token[] = []
  let [code, comments, start] = ['', '', 0]
  for (const { type, value } of jsTokens(text, { jsx: /x$/.test(path) } as { jsx: true })) {
    const isComment = type.endsWith('Comment')
    code += isComment ? blank(value) : withoutContent(type, value)
    comments += isComment ? value : blank(value)
    const isSpace = type === 'WhiteSpace' || type === 'LineTerminatorSequence'
    if (!isComment && !isSpace) tokens.push({ type, value, start })
    start += value.length
  }
  return { text, code, comments, tokens, lineAt }
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** The token with what stands between its delimiters as blanks, if it is a kind of literal. */
function withoutContent(type: string, value: string): string {
  if (type === 'JSXText') return blank(value)
  const isLiteral = /String|Template|RegularExpression/.test(type)
  if (!isLiteral) return value
  const end = value.endsWith('${') ? 2 : 1
  return value.slice(0, 1) + blank(value.slice(1, -end)) + (value.length > 1 ? value.slice(-end) : '')
}
