// Reads what a client asks for: the diff, the repository and the base branch, from text, files and data.
import { TaskError } from '@a2a-kit/task-core'
import type { Json, Message, Part } from '@a2a-kit/task-core/protocol'
import { bareName, branchInProse } from './base-branch.ts'
import { faultOf } from './diff.ts'
import { findDiffs } from './find-diffs.ts'

export interface ReviewRequest {
  /** As the client names it, which may be unknown; undefined if it names none and there are several. */
  repository: string | undefined
  diff: string
  baseBranch: string | undefined
}

/**
 * Reads a request for a review. The diff may be a text, a file (`raw`) or the field `diff` of data. The repository and the
 * base branch may be fields of data or of the message's metadata, or stand in the prose around the diff.
 * @param known the names of the repositories; the only one is meant if none is named
 * @throws TaskError saying what is wrong, if there is not exactly one diff
 */
export function parseReviewRequest(message: Message, known: readonly string[]): ReviewRequest {
  const fields = [...message.parts.map((part) => part.data), message.metadata].filter(isObject)
  const field = (name: string) => textField(fields, name)

  // Only a text part is written to this agent; what a file or data has around its diff is a commit message at best.
  const texts = message.parts.flatMap(({ text }) => (text === undefined ? [] : findDiffs(text)))
  const others = [field('diff') ?? '', ...message.parts.flatMap(fileText)].map(findDiffs)
  const [diff, another] = [...others, ...texts].flatMap(({ diffs }) => diffs)
  if (diff === undefined) throw new TaskError(`There is no diff in this message. ${whatToSend}`)
  if (another !== undefined) throw new TaskError('There are several diffs in this message: send one a task.')
  const fault = faultOf(diff)
  if (fault) throw new TaskError(`This is not a unified diff: ${fault}. ${whatToSend}`)

  const prose = texts.map((text) => text.prose).join('\n')
  return {
    repository:
      field('repository') ?? repositoryInProse(prose, known) ?? (known.length === 1 ? known[0] : undefined),
    diff,
    baseBranch: bareName(field('baseBranch')?.trim() ?? '') || branchInProse(prose),
  }
}

const whatToSend =
  'Send what `git diff` prints as text, as a file of type text/x-diff, or as data {"repository", "diff", "baseBranch"}.'

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first of these fields that is there; an empty text counts as absent. */
function textField(holders: { [key: string]: Json }[], name: string): string | undefined {
  const value = holders
    .map((holder) => holder[name])
    .find((found) => found !== undefined && found !== null && found !== '')
  if (value !== undefined && typeof value !== 'string') throw new TaskError(`${name} must be a text.`)
  return value
}

/** The text of a file part. */
function fileText({ raw, url, filename }: Part): string[] {
  if (url !== undefined) throw new TaskError(`This agent does not fetch ${url}. ${whatToSend}`)
  if (raw === undefined) return []
  try {
    return [new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw, 'base64'))]
  } catch {
    throw new TaskError(`The file ${filename ?? 'in this message'} is not text in UTF-8.`)
  }
}

const namedRepository = /\b(?:repository|repo)(?:\s*:\s*|\s+(?=[`'"]))[`'"]?([\w-]+)/i
const diffOf = /\b(?:diff|patch)\s+of\s+[`'"]?(\w+(?:-\w+)+|\w+(?=[`'"]?:))/i

/** A known name anywhere in the prose, or else what "repository: …" or "diff of …:" names. */
function repositoryInProse(prose: string, known: readonly string[]): string | undefined {
  const words = prose.split(/[^\w-]+/)
  const named = known.find((name) => words.includes(name))
  return named ?? (namedRepository.exec(prose) ?? diffOf.exec(prose))?.[1]
}
