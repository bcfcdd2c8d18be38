// What the suite said, from its JUnit report, and whether that is what it should say.
import type { CardName } from './run.ts'

export interface Counts {
  passed: number
  skipped: number
  /** The names of the tests that failed. */
  failed: string[]
}

/** @throws Error when `report` is no JUnit report */
export function readCounts(report: string): Counts {
  const cases = [...report.matchAll(/<testcase\b([^>]*?)(\/>|>(.*?)<\/testcase>)/gs)]
  if (cases.length === 0) throw new Error('The suite left no result: see what it printed.')
  const counts: Counts = { passed: 0, skipped: 0, failed: [] }
  for (const [, attributes = '', , content = ''] of cases) {
    if (/<(failure|error)\b/.test(content))
      counts.failed.push(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '?')
    else if (/<skipped\b/.test(content)) counts.skipped += 1
    else counts.passed += 1
  }
  return counts
}

/** With the minimal card one test of the suite fails by itself: it reads the error of a reply that it has closed. */
const cannotPass: { [card in CardName]: string[] } = {
  full: [],
  minimal: ['test_streaming_content_type'],
  'required-extension': [],
}

/** Skipped tests never fail the suite, so their number is watched: a wrong answer to a first call skips what builds on it. */
const expected: { [card in CardName]: { passed: number; skipped: number } } = {
  full: { passed: 250, skipped: 15 },
  minimal: { passed: 182, skipped: 82 },
  'required-extension': { passed: 2, skipped: 0 },
}

/** What is not as it should be, in words; empty if all is. */
export function judge(card: CardName, { passed, skipped, failed }: Counts): string[] {
  const { passed: most, skipped: least } = expected[card]
  const wrong = failed.filter((name) => !cannotPass[card].includes(name))
  return [
    ...wrong.map((name) => `${name} failed`),
    ...(passed === most ? [] : [`${passed} passed, not ${most}`]),
    ...(skipped === least ? [] : [`${skipped} skipped, not ${least}`]),
  ]
}

export const sayCounts = ({ passed, skipped, failed }: Counts): string =>
  `${passed} passed, ${failed.length} failed, ${skipped} skipped${failed.length > 0 ? ` (failed: ${failed.join(', ')})` : ''}`
