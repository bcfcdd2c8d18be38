import { describe, expect, it } from 'vitest'
import { checkBuild, packBuild, unpackBuild } from './build.ts'
import type { Files } from './files.ts'

const build = '2026.10.06-1'
const file = (text: string) => ({ content: Buffer.from(text), executable: false })
const sources: Files = new Map([
  ['package.json', file('{}')],
  ['src/index.js', file('start()')],
])
const whole = async () => await unpackBuild(build, await packBuild(build, sources))

describe('a build', () => {
  it('is whole as it was packed', async () => {
    expect(() => checkBuild(build, new Map())).toThrow('build.json is missing in it')
    checkBuild(build, await whole())
  })

  it.each<[string, (files: Files) => void, string]>([
    ['a file is missing', (files) => files.delete('src/index.js'), 'src/index.js is missing in it'],
    [
      'a file was changed',
      (files) => files.set('src/index.js', file('stop()')),
      'src/index.js is not as build.json says',
    ],
    [
      'a file was added',
      (files) => files.set('evil.js', file('')),
      'it holds evil.js, which build.json does not list',
    ],
    ['build.json is not JSON', (files) => files.set('build.json', file('{')), 'its build.json is unreadable'],
    [
      'build.json is no build',
      (files) => files.set('build.json', file('{}')),
      'its build.json is unreadable',
    ],
  ])('is not whole when %s', async (_what, change, error) => {
    const files = await whole()
    change(files)
    expect(() => checkBuild(build, files)).toThrow(error)
  })
})
