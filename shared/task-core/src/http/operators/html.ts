// Markup in which every value is text: a template escapes what is put into it, and shows characters that would mislead the eye.

/** Markup that is safe to send. */
export interface Html {
  readonly markup: string
}

/** Undefined and false are nothing. */
type Value = Html | readonly Value[] | string | undefined | false

/** Markup of a template; values that are not markup themselves are text. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: String.raw({ raw: parts }, ...values.map(markupOf)) }
}

function markupOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(markupOf).join('')
  return escaped(harmless(value))
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * Characters that cannot be seen, or that change how others are seen: controls but tab and newline, directions of writing, what
 * joins or hides, spaces that are not the common one, halves of a character, and what is not assigned. What makes an emoji of a
 * sign is none of them.
 */
const misleading =
  /(?!\t|\n| |\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** `text` with each misleading character by its number. */
export const harmless = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(misleading, (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
