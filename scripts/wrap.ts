// Breaks text into lines for a terminal.

/** Breaks at spaces; escape codes count as nothing, and a long word such as a link is never broken. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    const joined = `${line} ${word}`
    if (line !== undefined && visible(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(word)
  }
  return lines
}

/** Breaks each line that is too long. It goes on below its last column, which begins after two spaces or more. */
export const wrapLines = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => {
      const [, before = '', last = ''] = /^(.*\s{2,}|)(.*)$/.exec(line) ?? []
      return before + wrap(last, width - visible(before)).join(`\n${' '.repeat(visible(before))}`)
    })
    .join('\n')

/** How many columns it takes. */
export const visible = (text: string): number => text.replace(/\u001b\[[0-9;]*m/g, '').length
