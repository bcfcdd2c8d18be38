import { describe, expect, test } from 'vitest'
import { changedFiles } from '../diff.ts'
import { newFile } from '../testing.ts'
import { at, onLine, ruleCases, ruleNamed } from './rule-cases.ts'

ruleCases('untested-change', {
  planted: [onLine(3, '// a comment\n\nexport const one = 1\n'), at('src/pay.js', 'pay()\n'.repeat(20))],
  quiet: [
    '// only a comment\n\n/* and another */\n',
    at('README.md', 'words\n'),
    at('src/types.d.ts', 'declare const one: 1'),
    at('vitest.config.ts', 'export default {}'),
    at('scripts/release.js', 'release()'),
    at('package.json', '{}'),
    at('test/a.test.ts', 'test()'),
  ],
})

describe('untested-change', () => {
  const check = (...diffs: string[]) => ruleNamed('untested-change').check(changedFiles(diffs.join('')))
  const ten = newFile('src/b.ts', 'pay()\n'.repeat(10))

  test('is one finding for the whole change, at its first new line, and counts all of them', () => {
    const found = check(newFile('README.md', 'words'), ten, newFile('src/c.ts', '// why\npay()'))
    const message = '11 new lines of code and no change to a test'
    expect(found).toEqual([{ file: 'src/b.ts', line: 1, message }])
  })

  test('is minor up to ten lines', () => {
    expect(check(ten)).toMatchObject([{ severity: 'minor' }])
  })

  test('is satisfied by any new line in a test', () => {
    expect(check(ten, newFile('test/b.test.ts', 'test()'))).toEqual([])
  })
})

describe('removed-tests', () => {
  const deleted = (path: string) =>
    newFile(path, 'work()')
      .replace('new file', 'deleted file')
      .replace('--- /dev/null', `--- a/${path}`)
      .replace(`+++ b/${path}`, '+++ /dev/null')
      .replace('-0,0 +1,1', '-1,1 +0,0')
      .replace('+work', '-work')
  const check = (...diffs: string[]) => ruleNamed('removed-tests').check(changedFiles(diffs.join('')))

  test('finds a deleted test file', () => {
    expect(check(deleted('test/a.test.ts'))).toMatchObject([{ file: 'test/a.test.ts', line: 1 }])
  })

  test('is quiet when a source goes too, and about anything else that is deleted', () => {
    expect(check(deleted('test/a.test.ts'), deleted('src/a.ts'))).toEqual([])
    expect(check(deleted('README.md'))).toEqual([])
  })
})
