import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

test.each([
  [['--chekc'], 'There is no option --chekc. `npm run tutorial -- --help` says what there is.'],
  [['06', '--onw'], 'There is no option --onw. `npm run tutorial -- --help` says what there is.'],
  [['--own'], '--own is for playing: name a tutorial, or check them all.'],
  [['--again'], '--again is for one tutorial: name it.'],
  [['06', '07'], 'Name one tutorial at a time, or check them all.'],
])('%j is refused, and it says why', (args, message) => {
  expect(() => readOptions(args)).toThrow(new Error(message))
})
