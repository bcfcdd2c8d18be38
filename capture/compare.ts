// How the files of captures in a folder differ from what the kit gives, in words for a writer.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { Files } from './format.ts'

/** A path as messages name it. */
export const shown = (path: string): string => relative(process.cwd(), path)

/** The files of the capture `name` that are in `folder`. */
export const filesOf = (name: string, folder: string): string[] =>
  filesIn(folder).filter((file) => file.startsWith(`${name}.`))

/** The files in `folder` that belong to no capture of `names`. */
export const straysIn = (folder: string, names: string[]): string[] =>
  filesIn(folder).filter((file) => !names.some((name) => file.startsWith(`${name}.`)))

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((file) => !file.startsWith('.')) : []

/** How the files of the capture `name` in `folder` differ from `files`: each with file and line, and a diff where it helps. */
export function differences(name: string, files: Files, folder: string): string[] {
  const all = new Set([...filesOf(name, folder), ...files.keys()])
  return [...all].flatMap((file) => difference(join(folder, file), files.get(file)) ?? [])
}

function difference(path: string, made: string | undefined): string | undefined {
  const file = shown(path)
  if (made === undefined) return `${file}:1: The kit does not give this file.`
  if (!existsSync(path)) return `${file}:1: This file is missing.`
  const there = readFileSync(path, 'utf8')
  if (there === made) return undefined
  const place = `${file}:${firstDifference(there, made)}:`
  if (there.replaceAll('\r\n', '\n') === made) return `${place} Lines must end with LF, and here with CR LF.`
  const patch = createTwoFilesPatch(file, 'what the kit gives', there, made, '', '', { timeout: patience })
  return `${place} this is not what the kit gives:\n${patch ?? 'The two have too little in common for a diff.'}`
}

/** How long the search for a diff may take, in ms: files that share nothing take for ever. */
const patience = 5000

/** The first line, counted from 1, in which the texts differ; their last one if one has nothing but more. */
function firstDifference(one: string, other: string): number {
  const lines = one.split('\n')
  const others = other.split('\n')
  const at = lines.findIndex((line, index) => line !== others[index])
  return at === -1 ? lines.length : at + 1
}
