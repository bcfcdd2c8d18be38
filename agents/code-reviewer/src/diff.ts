// Reads unified diffs: says what is wrong with a text that is none, and gives the changed files with their new lines.
import { parsePatch, type StructuredPatch } from 'diff'
import { readSource, type Source } from './source.ts'

/** One file of a diff, as the rules see it. */
export interface ChangedFile {
  /** Its path after the change; before it for a deleted file. */
  path: string
  status: 'added' | 'deleted' | 'modified' | 'renamed'
  binary: boolean
  additions: number
  deletions: number
  /** The new file. A line that the diff does not show is empty. */
  source: Source
  /** The numbers of the added lines, counted from 1 in the new file. */
  added: ReadonlySet<number>
}

/** What is wrong with the text as a unified diff, or undefined if it is one. */
export function faultOf(text: string): string | undefined {
  if (/^@@@+ /m.test(text)) return 'it is the combined diff of a merge; send the diff against one parent'
  let patches: StructuredPatch[]
  try {
    patches = parsePatch(text)
  } catch (error) {
    return (error as Error).message
  }
  const empty = patches.find((patch) => patch.hunks.length === 0 && !patch.isGit)
  if (patches.some((patch) => patch.oldFileName === undefined))
    return 'a change does not say which file it is for'
  if (empty) return `it has no hunk (@@ -1,2 +1,3 @@) for ${empty.newFileName}`
  return patches.length === 0 ? 'it is empty' : undefined
}

/** The files that a diff of git changes, in its order. Line numbers are right everywhere; whole files need a diff that shows them. */
export const changedFiles = (diff: string): ChangedFile[] =>
  diff.trim() === '' ? [] : parsePatch(diff).map(changedFile)

function changedFile(patch: StructuredPatch): ChangedFile {
  const lines: string[] = []
  const added = new Set<number>()
  let deletions = 0
  for (const hunk of patch.hunks) {
    while (lines.length < hunk.newStart - 1) lines.push('')
    for (const line of hunk.lines) {
      if (line.startsWith('-')) deletions++
      else if (!line.startsWith('\\')) lines.push(line.slice(1).replace(/\r$/, ''))
      if (line.startsWith('+')) added.add(lines.length)
    }
  }
  const status = statusOf(patch)
  const path = withoutPrefix((status === 'deleted' ? patch.oldFileName : patch.newFileName) ?? '')
  const source = readSource(path, lines)
  return { path, status, binary: patch.isBinary === true, additions: added.size, deletions, source, added }
}

function statusOf(patch: StructuredPatch): ChangedFile['status'] {
  if (patch.isCreate || patch.oldFileName === '/dev/null') return 'added'
  if (patch.isDelete || patch.newFileName === '/dev/null') return 'deleted'
  return patch.isRename ? 'renamed' : 'modified'
}

/** The path without its first folder, which git calls `a/` and `b/`. */
const withoutPrefix = (path: string) => path.slice(path.indexOf('/') + 1)
