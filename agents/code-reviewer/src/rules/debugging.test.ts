import { at, ruleCases } from './rule-cases.ts'

ruleCases('leftover-debugging', {
  planted: [
    'console.log(payment)',
    'if (x) { console.debug (x) }',
    'debugger',
    'work(); debugger;',
    at('test/a.test.ts', 'debugger'),
  ],
  quiet: [
    'console.error(error)',
    'log.debug(payment)',
    'my.console.log(payment)',
    '// console.log(payment)',
    '/*\n * console.log(payment)\n */',
    `const text = 'console.log(payment)'`,
    'const text = `\n  console.log(payment)\n`',
    'const options = { debugger: true }',
    'attach(options.debugger)',
    at('scripts/report.js', 'console.log(payment)'),
    at('src/cli.js', 'console.log(payment)'),
    at('test/a.test.ts', 'console.log(payment)'),
    at('README.md', 'console.log(payment)'),
  ],
})

ruleCases('focused-test', {
  planted: [
    at('test/a.test.ts', `it.only('works', () => {})`),
    at('src/a.spec.ts', `describe.only('all', () => {})`),
    at('test/a.test.js', `test('works', { only: true }, () => {})`),
    at('test/a.test.js', `fit('works', () => {})`),
  ],
  quiet: [
    at('test/a.test.ts', `it('works', () => {})`),
    at('test/a.test.ts', `// it.only('works')`),
    at('test/a.test.ts', `it('refuses it.only(', () => {})`),
    at('test/a.test.ts', 'query.only(5); benefit(1)'),
    at('test/a.test.ts', 'expect(isFocused({ only: true })).toBe(true)'),
    'it.only(5)',
  ],
})

ruleCases('skipped-test', {
  planted: [
    at('test/a.test.ts', `it.skip('works', () => {})`),
    at('test/a.test.ts', `xdescribe('all', () => {})`),
    at('test/a.test.js', `test('works', { skip: true }, () => {})`),
  ],
  quiet: [
    at('test/a.test.ts', `it('skips', () => { rows.skip(2) })`),
    at('test/a.test.ts', `// it.skip('works')`),
    at('test/a.test.ts', `test('works', { skip: !hasGit }, () => {})`),
    at('test/a.test.ts', 'expect(rows({ skip: true })).toEqual([])'),
    'query({ skip: true })',
  ],
})
