import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type ChangedFile, changedFiles } from './diff.ts'
import { openRepository } from './repository.ts'
import { temporaryFolder, workTree } from './testing.ts'

let files: Map<string, ChangedFile>
const file = (path: string) => {
  const found = files.get(path)
  if (!found) throw new Error(`no ${path} among ${[...files.keys()]}`)
  const { status, binary, additions, deletions, added, source } = found
  return { status, binary, additions, deletions, added: [...added], text: source.text }
}

// One diff with everything that git can put into one, made by git and read back through git.
beforeAll(async () => {
  const folder = await temporaryFolder()
  const tree = await workTree(folder)
  const many = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`)
  const base = await tree.commit({
    'many.txt': many.join(''),
    'deleted.txt': 'gone\naway\n',
    'moved.txt': 'a\nb\nc\nd\ne\n',
    'exactly-moved.txt': 'f\ng\nh\n',
    'no-newline.txt': 'one\ntwo',
    'dos.txt': 'one\r\ntwo\r\n',
    'caf\u00e9 "x".txt': 'one\n',
    'logo.bin': Uint8Array.of(0, 1, 2),
    'dashes.sql': '-- one\n-- two\n',
  })
  await rm(join(folder, 'deleted.txt'))
  await rename(join(folder, 'exactly-moved.txt'), join(folder, 'b and b.txt'))
  await rm(join(folder, 'moved.txt'))
  await tree.write({
    'many.txt': many.toSpliced(25, 1).with(2, 'third\n').join(''),
    'to/moved.txt': 'a\nb\nC\nd\ne\n',
    'new.txt': 'something fresh\n',
    'empty.txt': '',
    'no-newline.txt': 'one\nTWO',
    'dos.txt': 'one\r\nTWO\r\n',
    'caf\u00e9 "x".txt': 'one\ntwo\n',
    'logo.bin': Uint8Array.of(0, 1, 3),
    'dashes.sql': '++ one\n-- two\n',
  })
  const diff = await tree.git('diff', '--cached', '--binary', '--find-renames')
  const applied = await openRepository('small', tree.gitDir).applied(diff, base)
  files = new Map(changedFiles(applied).map((changed) => [changed.path, changed]))
})

test('the changed files are all there, under their new names', () => {
  expect([...files.keys()].sort()).toEqual([
    'b and b.txt',
    'caf\u00e9 "x".txt',
    'dashes.sql',
    'deleted.txt',
    'dos.txt',
    'empty.txt',
    'logo.bin',
    'many.txt',
    'new.txt',
    'no-newline.txt',
    'to/moved.txt',
  ])
})

test('a changed file has its new lines and their numbers', () => {
  expect(file('many.txt')).toMatchObject({ status: 'modified', additions: 1, deletions: 2, added: [3] })
  expect(file('many.txt').text.split('\n').slice(0, 4)).toEqual(['line 1', 'line 2', 'third', 'line 4'])
})

test('new, deleted, empty and moved files are told apart', () => {
  expect(file('new.txt')).toMatchObject({
    status: 'added',
    additions: 1,
    added: [1],
    text: 'something fresh',
  })
  expect(file('deleted.txt')).toMatchObject({ status: 'deleted', deletions: 2, added: [], text: '' })
  expect(file('empty.txt')).toMatchObject({ status: 'added', additions: 0 })
  expect(file('to/moved.txt')).toMatchObject({ status: 'renamed', additions: 1, deletions: 1, added: [3] })
  expect(file('b and b.txt')).toMatchObject({ status: 'renamed', additions: 0, deletions: 0 })
})

test('a missing newline at the end is no line', () => {
  expect(file('no-newline.txt')).toMatchObject({ additions: 1, deletions: 1, added: [2], text: 'one\nTWO' })
})

test('lines with CRLF are read without it', () => {
  expect(file('dos.txt')).toMatchObject({ additions: 1, added: [2], text: 'one\nTWO' })
})

test('lines that look like file headers are lines', () => {
  expect(file('dashes.sql')).toMatchObject({ additions: 1, deletions: 1, text: '++ one\n-- two' })
})

test('a binary file is known as one', () => {
  expect(file('logo.bin')).toMatchObject({ binary: true, additions: 0, text: '' })
})

test('an empty diff changes no file', () => {
  expect(changedFiles('')).toEqual([])
})
