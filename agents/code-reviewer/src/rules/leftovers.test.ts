import { at, onLine, ruleCases } from './rule-cases.ts'

ruleCases('merge-conflict', {
  planted: [
    onLine(2, 'a\n<<<<<<< HEAD\nb\n'),
    onLine(1, '>>>>>>> feature/x\nb'),
    at('README.md', '<<<<<<< ours\n'),
    at('test/a.test.ts', '>>>>>>> 1a2b3c4'),
  ],
  quiet: [at('README.md', 'Payments\n=======\n'), `const mark = '<<<<<<< HEAD'`, 'a <<<<<<< b', '// ======='],
})

ruleCases('todo-without-ticket', {
  planted: [
    '// TODO remove this',
    '/* FIXME: rounding */',
    onLine(2, '/**\n * XXX wrong for JPY\n */'),
    at('test/a.test.ts', '// TODO more'),
  ],
  quiet: [
    '// TODO(#123) remove this',
    '// TODO PAY-77: remove this',
    '// TODO see https://example.com/issues/1',
    `const title = 'TODO'`,
    'const TODO = []',
    '// the TODO-list of a user',
    '// todos are fine',
    at('README.md', 'TODO'),
  ],
})

ruleCases('suppressed-check', {
  planted: [
    '// @ts-ignore',
    '// @ts-nocheck',
    '/* eslint-disable */',
    '// eslint-disable-next-line no-eval',
    '// @ts-expect-error\nwork()',
  ],
  quiet: [
    '// @ts-expect-error the types of this library are wrong',
    '// eslint-disable-next-line no-eval -- the input is our own',
    `const text = '@ts-ignore'`,
    at('README.md', '// @ts-ignore'),
  ],
})
