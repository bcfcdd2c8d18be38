// Decides whether a branch can be the base of a diff; if not, says why in words that help the client to answer better.
import type { Repository } from './repository.ts'

export type FoundBase =
  | { outcome: 'found'; base: { branch: string; commit: string } }
  | { outcome: 'not this one'; reason: string }
  | { outcome: 'unreadable'; reason: string }

/** `branch` is undefined if nobody could tell which one the client meant. */
export async function findBase(
  repository: Repository,
  diff: string,
  branch: string | undefined,
  signal?: AbortSignal,
): Promise<FoundBase> {
  const commit = branch && (await repository.commitOf(branch, signal))
  if (!branch || !commit) {
    const problem = branch
      ? `There is no branch ${shortened(branch)}.`
      : 'I cannot tell which branch that names.'
    const branches = (await repository.branches(signal)).join(', ')
    return { outcome: 'not this one', reason: `${problem} ${repository.name} has ${branches}.` }
  }

  const applies = await repository.applies(diff, commit, signal)
  if (applies.outcome === 'applies') return { outcome: 'found', base: { branch, commit } }
  const words = shortened(applies.says.join('; '))
  if (applies.outcome === 'unreadable') {
    return { outcome: 'unreadable', reason: `Git cannot read this diff: ${words}.` }
  }
  const files = shortened(applies.files.join(', '))
  return {
    outcome: 'not this one',
    reason: `The diff does not apply to ${branch}: ${files}. Git says: ${words}.`,
  }
}

const longest = 400
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)
