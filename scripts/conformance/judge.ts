// Judges a run of the tests by the requirements: what holds each, and what is wrong.
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
