// What was useful while the change was written and should not stay.
import { isCode, isScript, isSource, isTest } from '../paths.ts'
import { fileRule, findInAdded } from './rule.ts'

export const leftoverDebugging = fileRule(
  { name: 'leftover-debugging', severity: 'minor', finds: '`console.log` in sources, `debugger` (major)' },
  isCode,
  (file) => [
    ...findInAdded(
      file,
      'code',
      /(?<![.\w$])debugger(?![\w$]|\s*[:=(])/g,
      'A debugger statement stops the program',
    ).map((place) => ({ ...place, severity: 'major' as const })),
    ...(isSource(file.path) && !isScript(file.path)
      ? findInAdded(
          file,
          'code',
          /(?<![.\w$])console\.(log|debug|dir|table|trace)\s*\(/g,
          (match) => `console.${match[1]} is left over: remove it or use the log`,
        )
      : []),
  ],
)

/** `it.only(`, `fit(` and `it('…', { only: true }`, for `only` and `fit`. */
function testCall(option: string, names: string): RegExp {
  const call = '(?:it|test|describe|suite|context)'
  const withOption = `${call}\\(\\s*(['"\`]) *\\1, \\{[^{}\\n]*\\b${option}: true\\b`
  return new RegExp(`(?<![.\\w$])(?:(?:${call}\\.${option}|${names})\\s*\\(|${withOption})`, 'g')
}

export const focusedTest = fileRule(
  { name: 'focused-test', severity: 'major', finds: '`it.only` and the like: all other tests stop running' },
  isTest,
  (file) =>
    findInAdded(
      file,
      'code',
      testCall('only', 'fit|fdescribe'),
      'Only this test runs now, and the others are skipped silently',
    ),
)

export const skippedTest = fileRule(
  { name: 'skipped-test', severity: 'minor', finds: '`it.skip` and the like' },
  isTest,
  (file) =>
    findInAdded(
      file,
      'code',
      testCall('skip', 'xit|xdescribe|xtest'),
      'A skipped test tests nothing: mend it or remove it',
    ),
)
