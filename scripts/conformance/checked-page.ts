// From the report of a run to `docs/conformance.md`: what should stand there, and what is wrong.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kit.ts'
import { fieldCases } from './field-cases.ts'
import { judge, judgeCases } from './judge.ts'
import { matrixOf } from './matrix.ts'
import { pageOf } from './page.ts'
import { readReport, type VitestReport } from './report.ts'
import { requirements } from './requirements.ts'

export const pageFile = join(root, 'docs/conformance.md')

/** The page that the report in `file` gives, and the problems, one sentence each, that keep it from being honest. */
export function pageFrom(file: string): { page: string; problems: string[] } {
  const tests = readReport(JSON.parse(readFileSync(file, 'utf8')) as VitestReport, root)
  const judgement = judge(requirements, tests)
  const field = judgeCases(fieldCases, tests)
  return {
    page: pageOf(judgement, field, matrixOf(tests)),
    problems: [...judgement.problems, ...field.problems],
  }
}
