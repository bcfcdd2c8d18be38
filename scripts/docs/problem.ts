// What is wrong with a page or a marker, in words for its writer.

/** Thrown where a marker asks for what is not there; whoever knows the page and the line adds them. */
export class MarkerError extends Error {
  override readonly name = 'MarkerError'
}

/** A list as a sentence has it: `a, b, c`, or `nothing`. */
export const listed = (words: string[]): string => words.join(', ') || 'nothing'
