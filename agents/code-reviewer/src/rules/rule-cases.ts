// Runs a rule over small new files: planted cases, each of which it must find, and look-alikes that must stay quiet.
import { describe, expect, test } from 'vitest'
import { changedFiles } from '../diff.ts'
import { newFile } from '../testing.ts'
import { rules } from './index.ts'

/** The content of a new file: of `src/a.ts` with the finding on line 1, unless `at` or `onLine` say more. */
export type Case = string | { path: string; text: string; line: number }

export const at = (path: string, text: string): Case => ({ path, text, line: 1 })
export const onLine = (line: number, text: string): Case => ({ path: 'src/a.ts', text, line })

/** The rule with this name. */
export function ruleNamed(name: string) {
  const rule = rules.find((candidate) => candidate.name === name)
  if (!rule) throw new Error(`there is no rule ${name}`)
  return rule
}

/** One test for each case. */
export function ruleCases(name: string, { planted, quiet }: { planted: Case[]; quiet: Case[] }) {
  const rule = ruleNamed(name)
  const named = (cases: Case[]) =>
    cases.map((given) => {
      const { path, text, line } =
        typeof given === 'string' ? { path: 'src/a.ts', text: given, line: 1 } : given
      return { path, text, line, title: JSON.stringify(text.slice(0, 80)) }
    })

  describe(name, () => {
    test.each(named(planted))('finds $title in $path', ({ path, text, line }) => {
      const found = rule.check(changedFiles(newFile(path, text)))
      expect(found).toEqual([expect.objectContaining({ file: path, line, message: expect.any(String) })])
    })

    test.each(named(quiet))('is quiet about $title in $path', ({ path, text }) => {
      expect(rule.check(changedFiles(newFile(path, text)))).toEqual([])
    })
  })
}
