import { Header, Pack, ReadEntry } from 'tar'
import { describe, expect, it } from 'vitest'
import { type Files, pack, readTree, unpack, writeTree } from './files.ts'
import { sourceTree, temporaryFolder } from './test-data.ts'

const files: Files = new Map([
  ['src/index.js', { content: Buffer.from('start()\n'), executable: false }],
  ['empty', { content: Buffer.alloc(0), executable: false }],
  [`${'deep/'.repeat(30)}file.js`, { content: Buffer.alloc(100_000, 7), executable: false }],
  ['bin/run', { content: Buffer.from('#!/bin/sh\n'), executable: true }],
])

async function archiveWith(path: string, type: 'File' | 'SymbolicLink' | 'Link', linkpath?: string) {
  const archive = new Pack({ gzip: true, preservePaths: true })
  const bytes = archive.concat()
  const entry = new ReadEntry(new Header({ path, type, size: 0, ...(linkpath && { linkpath }) }))
  entry.end()
  archive.add(entry)
  archive.end()
  return await bytes
}

describe('an archive', () => {
  it('holds the files that were packed, with their modes', async () => {
    const unpacked = await unpack(await pack(files))
    expect(new Map([...unpacked].sort())).toEqual(new Map([...files].sort()))
  })

  it('has the same bytes whatever the order of the files', async () => {
    expect((await pack(new Map([...files].reverse()))).equals(await pack(files))).toBe(true)
  })

  it('is a plain gzip without a time or a system in it', async () => {
    expect((await pack(files)).subarray(0, 10).toString('hex')).toBe('1f8b08000000000004ff')
  })

  it.each([
    ['a symbolic link', 'link', 'SymbolicLink', '/etc/passwd'],
    ['a symbolic link that stays inside', 'link', 'SymbolicLink', 'src'],
    ['a hard link', 'link', 'Link', 'src/index.js'],
    ['a path that climbs out', '../evil.js', 'File', undefined],
    ['a path that climbs out later', 'src/../../evil.js', 'File', undefined],
    ['an absolute path', '/tmp/evil.js', 'File', undefined],
    ['a path of another system', 'C:\\evil.js', 'File', undefined],
  ] as const)('is refused for %s', async (_what, path, type, linkpath) => {
    const archive = await archiveWith(path, type, linkpath)
    await expect(unpack(archive)).rejects.toThrow(/^it holds what no build may: .*(is a|leads out)/)
  })

  it.each([
    ['cut short', async () => (await pack(files)).subarray(0, 20_000)],
    ['changed in a byte', async () => (await pack(files)).fill(1, 50_000, 50_001)],
    ['no archive at all', async () => Buffer.from('hello')],
    ['empty', async () => Buffer.alloc(0)],
  ])('is refused when it is %s', async (_what, damaged) => {
    await expect(unpack(await damaged())).rejects.toThrow(/^it is damaged: /)
  })
})

describe('a tree of files', () => {
  it('is the same after it was written and read', async () => {
    const folder = `${await temporaryFolder()}/copy`
    const tree = await readTree(await sourceTree())
    await writeTree(folder, tree)
    expect(await readTree(folder)).toEqual(tree)
    expect(tree.get('start.sh')?.executable).toBe(true)
    expect([...tree.keys()].sort()).toEqual(['package.json', 'src/routes/pay.js', 'start.sh'])
  })
})
