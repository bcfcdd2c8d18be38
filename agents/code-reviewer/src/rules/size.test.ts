import { expect, test } from 'vitest'
import { changedFiles } from '../diff.ts'
import { newFile } from '../testing.ts'
import { at, ruleCases, ruleNamed } from './rule-cases.ts'

ruleCases('oversized-change', {
  planted: [at('src/a.ts', 'one()\n'.repeat(401)), at('docs/a.md', 'words\n'.repeat(1001))],
  quiet: [at('src/a.ts', 'one()\n'.repeat(400)), at('package-lock.json', '{}\n'.repeat(5000))],
})

test('an oversized change is reported once, at its largest file, and is major above 1000 lines', () => {
  const check = (...diffs: string[]) => ruleNamed('oversized-change').check(changedFiles(diffs.join('')))
  const of = (path: string, lines: number) => newFile(path, 'one()\n'.repeat(lines))
  const message = '500 changed lines in 2 files: split the change'
  expect(check(of('src/a.ts', 200), of('src/b.ts', 300))).toEqual([{ file: 'src/b.ts', line: 1, message }])
  expect(check(of('src/a.ts', 500), of('src/b.ts', 501))).toMatchObject([
    { file: 'src/b.ts', severity: 'major' },
  ])
})

test('a binary file is reported as not reviewed', () => {
  const binary = (path: string) =>
    `diff --git a/${path} b/${path}\nindex 1a2b3c4..5d6e7f8 100644\nBinary files a/${path} and b/${path} differ\n`
  const check = ruleNamed('binary-file').check
  expect(check(changedFiles(binary('logo.png')))).toMatchObject([{ file: 'logo.png', line: 1 }])
  expect(check(changedFiles(newFile('logo.svg', '<svg/>')))).toEqual([])
})
