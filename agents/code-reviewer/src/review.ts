// The review of a diff: every rule over every changed file, counted, and the verdict.
import { changedFiles } from './diff.ts'
import { rules } from './rules/index.ts'
import type { Severity } from './rules/rule.ts'

export type Finding = { rule: string; severity: Severity; file: string; line: number; message: string }

/** What `review.json` holds. */
export type Review = {
  repository: string
  /** The branch that the diff was compared against, and its commit at that time. */
  base: string
  baseCommit: string
  counts: { files: number; additions: number; deletions: number; findings: Record<Severity, number> }
  /** By file and line. */
  findings: Finding[]
  verdict: 'approve' | 'request-changes'
  /** The verdict and the counts in one line. */
  summary: string
}

/** Reviews a diff of git that shows the changed files whole, so that the rules see what surrounds a change. */
export function reviewDiff(diff: string, about: Pick<Review, 'repository' | 'base' | 'baseCommit'>): Review {
  const files = changedFiles(diff)
  const findings = rules
    .flatMap(({ name: rule, severity, check }) => check(files).map((place) => ({ rule, severity, ...place })))
    .map(({ rule, severity, file, line, message }): Finding => ({ rule, severity, file, line, message }))
    .sort((a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.rule, b.rule))
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  const counts = {
    files: files.length,
    additions: files.reduce((sum, { additions }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    findings: {
      critical: count('critical'),
      major: count('major'),
      minor: count('minor'),
      info: count('info'),
    },
  }
  const verdict = counts.findings.critical + counts.findings.major > 0 ? 'request-changes' : 'approve'
  return { ...about, counts, findings, verdict, summary: summaryOf(verdict, counts) }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function summaryOf(verdict: Review['verdict'], { files, additions, deletions, findings }: Review['counts']) {
  const found = Object.entries(findings).filter(([, count]) => count > 0)
  const list = found.map(([severity, count]) => `${count} ${severity}`).join(', ') || 'none'
  const words = verdict === 'approve' ? 'Approved' : 'Changes requested'
  return `${words}: ${files} ${files === 1 ? 'file' : 'files'}, +${additions} -${deletions}, findings: ${list}.`
}
