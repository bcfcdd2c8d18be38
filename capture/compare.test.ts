import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { differences, filesOf, straysIn } from './compare.ts'
import { outFolder, readOut } from './library.ts'

const name = '07-auth-required'
const http = `${name}.http`
const files = new Map(filesOf(name, outFolder).map((file) => [file, readOut(file)]))

/** A copy of `capture/out`, changed. */
function folderWith(change: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-compared-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(outFolder, folder, { recursive: true })
  change(folder)
  return folder
}

const found = (change: (folder: string) => void) => differences(name, files, folderWith(change))

test('a file that is missing, and one that there should not be, are each said in a line', () => {
  expect(found((folder) => rmSync(join(folder, http)))).toEqual([
    expect.stringMatching(/07-auth-required\.http:1: This file is missing\.$/),
  ])
  expect(found((folder) => writeFileSync(join(folder, `${name}.02.events.json`), '{}'))).toEqual([
    expect.stringMatching(/07-auth-required\.02\.events\.json:1: The kit does not give this file\.$/),
  ])
})

test('other ends of lines are said in words, since a diff does not show them', () => {
  const windows = readOut(http).replaceAll('\n', '\r\n')
  expect(found((folder) => writeFileSync(join(folder, http), windows))).toEqual([
    expect.stringMatching(/07-auth-required\.http:1: Lines must end with LF/),
  ])
})

test('files that belong to no capture are found', () => {
  const folder = folderWith((folder) => writeFileSync(join(folder, '77-old.http'), ''))
  expect(straysIn(folder, ['77-older'])).toContain('77-old.http')
  expect(straysIn(folder, ['77-old'])).not.toContain('77-old.http')
})
