// Finds the unified diffs in a text that a person or a program wrote around them.

const start = /^(?:diff --(?:git|cc|combined) |Index: |--- [^\n]*\n\+\+\+ |@@ -\d)/m

/** Splits a text into its diffs, each of which ends with a newline, and the prose around them. */
export function findDiffs(text: string): { diffs: string[]; prose: string } {
  // In a diff each line begins with a sign, so a bare fence is an end of the code block that the diff stands in.
  const blocks = withoutCarriageReturns(text).split(/^```.*$/m)
  const starts = blocks.map((block) => block.search(start))
  return {
    diffs: blocks.flatMap((block, index) => diffFrom(block, starts[index] ?? -1)),
    prose: blocks
      .map((block, index) => (starts[index] === -1 ? block : block.slice(0, starts[index])))
      .join(''),
  }
}

const diffFrom = (block: string, at: number): string[] =>
  at === -1 ? [] : [endedByNewline(withoutSignatures(block.slice(at)))]

/** A diff of a file with CRLF has LF after its own headers; with CRLF everywhere it was converted on the way. */
function withoutCarriageReturns(text: string): string {
  const isConverted = text.includes('\r\n') && !/[^\r]\n/.test(text)
  return isConverted ? text.replaceAll('\r\n', '\n') : text
}

/** `git format-patch` ends each mail with "-- " and its version, which a parser takes for a removed line. */
const withoutSignatures = (diff: string) => diff.replace(/^-- \n\d+\.\d+.*$/gm, '')

const endedByNewline = (diff: string) => (diff.endsWith('\n') ? diff : `${diff}\n`)
