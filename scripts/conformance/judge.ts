// Judges a run of the tests by the requirements and the field cases: what holds each, and what is wrong.
import type { FieldCase } from './field-cases.ts'
import type { RanTest } from './report.ts'
import type { Requirement } from './requirements.ts'
import { familiesOf } from './titles.ts'

/** A test that holds a requirement; a parametrised one is one. */
export interface Holder {
  file: string
  title: string
}

export interface Judged extends Requirement {
  /** Only tests that passed, every case of them. */
  heldBy: Holder[]
}

export interface Judgement {
  requirements: Judged[]
  /** One sentence each; none if all is well. */
  problems: string[]
}

/** A test that failed or was skipped holds nothing, and neither do those of its file that name the same requirements. */
export function judge(requirements: readonly Requirement[], tests: readonly RanTest[]): Judgement {
  const groups = [...Map.groupBy(tests, ({ file, ids }) => `${file} ${ids.join(' ')}`).values()]
  const judged = requirements.map((requirement) => {
    const naming = groups.filter(([first]) => first!.ids.includes(requirement.id))
    const holding = naming.filter((cases) => cases.every(({ passed }) => passed))
    return {
      requirement: {
        ...requirement,
        heldBy: holding.flatMap((cases) =>
          familiesOf(cases.map(({ title }) => title)).map((title) => ({ file: cases[0]!.file, title })),
        ),
      },
      broken: naming.flatMap((cases) => cases.filter(({ passed }) => !passed)),
    }
  })
  const known = new Set(requirements.map(({ id }) => id))
  const unknown = tests.flatMap(({ ids, file, title }) =>
    ids
      .filter((id) => !known.has(id))
      .map((id) => `${id} is no requirement, and is named by "${title}" (${file}).`),
  )
  const problems = judged.flatMap(({ requirement: { id, reason, heldBy }, broken }) => {
    if (heldBy.length > 0 && reason !== undefined) {
      return [`${id} has a test that passes, and a reason for having none: take the reason away.`]
    }
    if (heldBy.length > 0 || reason !== undefined) return []
    const [first] = broken
    return first
      ? [`${id} is not held: "${first.title}" (${first.file}) did not pass.`]
      : [`${id} has neither a test that names it nor a reason for having none.`]
  })
  return {
    requirements: judged.map(({ requirement }) => requirement),
    problems: [...problems, ...new Set(unknown)],
  }
}

export interface JudgedCase extends FieldCase {
  /** With tests of the case, in their order; none unless all of them passed. */
  files: string[]
}

export interface CaseJudgement {
  cases: JudgedCase[]
  /** One sentence each; none if all is well. */
  problems: string[]
}

/** A case is held when tests name it, and all of them passed. */
export function judgeCases(cases: readonly FieldCase[], tests: readonly RanTest[]): CaseJudgement {
  const judged = cases.map((one) => {
    const naming = tests.filter((test) => test.cases.includes(one.id))
    const broken = naming.find(({ passed }) => !passed)
    return { one: { ...one, files: broken ? [] : [...new Set(naming.map(({ file }) => file))] }, broken }
  })
  const known = new Set(cases.map(({ id }) => id))
  const unknown = tests.flatMap(({ cases: named, file, title }) =>
    named
      .filter((id) => !known.has(id))
      .map((id) => `${id} is no field case, and is named by "${title}" (${file}).`),
  )
  const problems = judged.flatMap(({ one: { id, files }, broken }) => {
    if (broken) return [`${id} is not held: "${broken.title}" (${broken.file}) did not pass.`]
    return files.length > 0 ? [] : [`${id} has no test whose title begins with it.`]
  })
  return { cases: judged.map(({ one }) => one), problems: [...problems, ...new Set(unknown)] }
}
