import type { Part } from '@a2a-kit/task-core/protocol'
import { expect, test } from 'vitest'
import { readBaseBranch } from './base-branch.ts'

const read = (...parts: Part[]) => readBaseBranch({ messageId: 'm2', role: 'ROLE_USER', parts })

test.each([
  ['main', 'main'],
  [' main\n', 'main'],
  ['main.', 'main'],
  ['`main`', 'main'],
  ['"main"', 'main'],
  ['origin/main', 'main'],
  ['refs/heads/release/2026.09', 'release/2026.09'],
  ['base is main', 'main'],
  ['against main, please', 'main'],
  ['Please use the develop branch.', 'develop'],
  ['base', 'base'],
])('the answer %j names %s', (text, branch) => {
  expect(read({ text })).toBe(branch)
})

test('an answer may be data', () => {
  expect(read({ data: { baseBranch: 'main' } })).toBe('main')
  expect(read({ text: 'as you like' }, { data: { baseBranch: 'develop' } })).toBe('develop')
  expect(read({ data: 'main' })).toBe('main')
})

test('an answer that names no one branch is not guessed at', () => {
  for (const text of ['', '  ', 'main or develop', 'whatever you think is best', 'the base branch']) {
    expect(read({ text })).toBeUndefined()
  }
  expect(read({ data: { branch: 'main' } })).toBeUndefined()
  expect(read({ data: { baseBranch: 42 } })).toBeUndefined()
  expect(read({ raw: 'bWFpbg==' })).toBeUndefined()
})
