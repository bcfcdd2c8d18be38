// Finds strings that are put together at run time: templates with expressions, and literals joined with +.
import type { Token } from '../source.ts'

/** A string from parts. `text` is what is literal in it, with `?` for each part that is not. */
export interface BuiltString {
  text: string
  start: number
  end: number
}

/** Of a template, in tokens. A longer one is not looked at to its end. */
const longest = 200

const isLiteral = (token: Token | undefined) =>
  token?.type === 'StringLiteral' || token?.type === 'NoSubstitutionTemplate'

/** The names of the constants of a file: `COLUMNS` by its form, and every `const columns = 'id, status'`. */
export function constantsOf(tokens: Token[]): Set<string> {
  const isConstant = ({ type, value }: Token, index: number) => {
    if (type !== 'IdentifierName') return false
    if (/^[A-Z][A-Z0-9_]*$/.test(value)) return true
    const isAssigned = tokens[index - 1]?.value === 'const' && tokens[index + 1]?.value === '='
    return isAssigned && isLiteral(tokens[index + 2]) && !/^[+.[]$/.test(tokens[index + 3]?.value ?? '')
  }
  return new Set(tokens.filter(isConstant).map(({ value }) => value))
}

/** The string from parts that begins with the token at `index`; undefined for a plain string, and one of constants only. */
export const builtStringAt = (
  tokens: Token[],
  index: number,
  constants: Set<string>,
): BuiltString | undefined =>
  tokens[index]?.type === 'TemplateHead'
    ? templateAt(tokens, index, constants)
    : joinedAt(tokens, index, constants)

function templateAt(tokens: Token[], index: number, constants: Set<string>): BuiltString | undefined {
  let text = ''
  let variable = false
  let depth = 0
  for (let at = index; at < Math.min(tokens.length, index + longest); at++) {
    const { type, value, start } = tokens[at] as Token
    if (type === 'TemplateHead') depth++
    if (type === 'TemplateTail' && --depth === 0) {
      text += value.slice(1, -1)
      return variable ? { text, start: (tokens[index] as Token).start, end: start + value.length } : undefined
    }
    if (depth > 1 || (type !== 'TemplateHead' && type !== 'TemplateMiddle')) continue
    const literal = value.slice(1, -2)
    // `$${n}` numbers a placeholder, and a constant is no one's input.
    const isSafe =
      literal.endsWith('$') ||
      (constants.has(tokens[at + 1]?.value ?? '') && tokens[at + 2]?.value.startsWith('}'))
    text += isSafe ? literal : `${literal}?`
    if (!isSafe) variable = true
  }
  return undefined
}

function joinedAt(tokens: Token[], index: number, constants: Set<string>): BuiltString | undefined {
  if (!isLiteral(tokens[index]) || tokens[index - 1]?.value === '+') return undefined
  let text = ''
  for (let at = index; at < tokens.length; at += 2) {
    const token = tokens[at] as Token
    if (!isLiteral(token) && !constants.has(token.value)) {
      return {
        text: `${text}?`,
        start: (tokens[index] as Token).start,
        end: token.start + token.value.length,
      }
    }
    if (isLiteral(token)) text += token.value.slice(1, -1)
    if (tokens[at + 1]?.value !== '+') return undefined
  }
  return undefined
}
