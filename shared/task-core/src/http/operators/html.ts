// Markup in which every value is text: a template escapes what is put into it, and shows characters that would mislead the eye.

/** Markup that is safe to send. */
export interface Html {
  readonly markup: string
}

type Value = Html | readonly Value[] | string | number | undefined

/** Markup of a template; values that are not markup themselves are text. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
}

function markupOf(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(markupOf).join('')
  return escaped(harmless(String(value)))
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * Characters that cannot be seen, or that change how others are seen: controls but tab and newline, directions of writing, what
 * joins or hides, fillers that look like spaces, halves of a character, and what is not assigned.
 */
const misleading =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]/gu

/** `text` with each misleading character by its number. */
export const harmless = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(misleading, (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
