// The review as a person reads it: the text of `review.md`, in the parts in which it is sent.
import type { Finding, Review } from './review.ts'

/** Markdown: what was reviewed, one part for each file that has findings, and the verdict. Joined, they are the whole text. */
export function reportParts({ repository, base, baseCommit, findings, summary }: Review): string[] {
  const files = [...Map.groupBy(findings, ({ file }) => file)]
  return [
    `# Review of ${repository}\n\nAgainst ${code(base)}, commit ${baseCommit.slice(0, 8)}.\n`,
    ...files.map(([file, found]) => `\n## ${code(file)}\n\n${found.map(lineOf).join('')}`),
    `\n## Verdict\n\n${summary}\n`,
  ]
}

const lineOf = ({ line, severity, rule, message }: Finding): string =>
  `- line ${line}, ${severity}: ${message} (${rule})\n`

/** A name as code, so that nothing in it is read as Markdown: the client chose it. */
function code(name: string): string {
  const ticks = name.match(/`+/g) ?? []
  const fence = '`'.repeat(Math.max(0, ...ticks.map(({ length }) => length)) + 1)
  return ticks.length > 0 ? `${fence} ${name} ${fence}` : `${fence}${name}${fence}`
}
