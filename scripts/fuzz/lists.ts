// Lists of texts as they are written down: parted by blanks, or one a line.

/** Everything between blanks and line ends; nothing in it is an escape. */
export const words = (text: TemplateStringsArray): string[] => text.raw.join('').split(/\s+/).filter(Boolean)

/** Each line, without the blanks at its ends; nothing in it is an escape. */
export const lines = (text: TemplateStringsArray): string[] =>
  text.raw
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
