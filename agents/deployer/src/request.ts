// What the client's messages say: which build to deploy where, and what to do about a deploy that waits.
import { dataOf, type Message, type Struct, TaskError, textOf } from '@a2a-kit/task-core'
import { repository } from './build.ts'

/** Which build to deploy to which environment; neither is checked for being known. */
export interface DeployRequest {
  build: string
  environment: string
}

/** What a message says that came while the deploy waits; `other` is everything that changes nothing, "approved" included. */
export type Reply =
  | { outcome: 'withdrawn'; words: string }
  | { outcome: 'corrected'; request: DeployRequest }
  | { outcome: 'other' }

/** What can be named. */
export interface Known {
  builds: string[]
  environments: string[]
}

/** For the card, and for who wrote something unreadable. */
export const examples = [
  'Deploy build 2026.10.06-1 to staging',
  '{"build": "2026.10.06-1", "environment": "staging"}',
] as const

/**
 * Reads text or data such as `examples`.
 * @throws TaskError that says what is missing, with an example
 */
export function parseDeployRequest(message: Message): DeployRequest {
  const data = objectIn(message)
  const { build, environment } = data ? fieldsOfData(data) : fieldsOfText(textOf(message))
  if (build && environment) return { build, environment }
  const missing = [...(build ? [] : ['a build']), ...(environment ? [] : ['an environment'])].join(' and ')
  throw new TaskError(
    `The request does not name ${missing}. Write for example "${examples[0]}", or send the data ${examples[1]}.`,
  )
}

/** A question that is answered at once, for the card. */
export const buildsQuestion = 'Which builds can be deployed?'

/** Whether the message is `buildsQuestion` or one of its like, and nothing besides: a request to deploy is never taken for it. */
export const asksForBuilds = ({ parts }: Message): boolean =>
  parts.length === 1 &&
  /^\s*(which|what) builds (are there|do you have|can be deployed|can you deploy)[\s?]*$/i.test(
    parts[0]!.text ?? '',
  )

/** Reads a message to a deploy that waits; text names another build or environment if it is known, or stands after "build". */
export function readReply(message: Message, waiting: DeployRequest, known: Known): Reply {
  const text = textOf(message).trim()
  if (withdrawal.test(text)) return { outcome: 'withdrawn', words: text }
  const data = objectIn(message)
  const { build, environment } = data ? fieldsOfData(data) : othersNamedIn(text, waiting, known)
  const request = { build: build ?? waiting.build, environment: environment ?? waiting.environment }
  const changed = request.build !== waiting.build || request.environment !== waiting.environment
  return changed ? { outcome: 'corrected', request } : { outcome: 'other' }
}

const withdrawal =
  /\b(reject|refuse|deny|withdraw|stop|cancel|abort|do not|don['’]t|never ?mind|forget it)\b|^no\W*$/i

type Fields = Partial<DeployRequest>

function objectIn(message: Message): Struct | undefined {
  const data = dataOf(message)
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : undefined
}

function fieldsOfData(data: Struct): Fields {
  for (const name of ['build', 'environment', 'repository'] as const) {
    const value = data[name]
    if (value !== undefined && (typeof value !== 'string' || value === '')) {
      throw new TaskError(`"${name}" in the data must be a text, as in ${examples[1]}.`)
    }
  }
  const { build, environment, repository: asked } = data as Fields & { repository?: string }
  checkRepository(asked)
  return { ...(build && { build }), ...(environment && { environment }) }
}

/** "Deploy build B of R to E": the build stands after `build` or `deploy`, the others after the build. */
function fieldsOfText(text: string): Fields {
  const name = '(?!(?:build|to|of|from)\\b)([\\w.+-]+)'
  const after = (word: string) => new RegExp(`\\b${word}\\s+${name}(.*)`, 'is').exec(text)
  const found = after('build') ?? after('deploy')
  const [, build, rest = text] = found ?? []
  const [, asked] = /^\s*(?:of|from)\s+([\w.+-]+)/i.exec(rest) ?? []
  const [, environment] = /\bto\s+(?:the\s+)?([\w.+-]+)/i.exec(rest) ?? []
  checkRepository(asked)
  return {
    ...(build && { build: bare(build) }),
    ...(environment && { environment: bare(environment).toLowerCase() }),
  }
}

function othersNamedIn(text: string, waiting: DeployRequest, { builds, environments }: Known): Fields {
  const words = text.split(/[^\w.+-]+/).map(bare)
  const [, version] = /\b(?:build|deploy|use)\s+(?:build\s+)?(v?\d+(?:\.\d+)+[\w.+-]*)/i.exec(text) ?? []
  const build =
    words.find((word) => word !== waiting.build && builds.includes(word)) ?? (version && bare(version))
  const environment = words
    .map((word) => word.toLowerCase())
    .find((word) => word !== waiting.environment && environments.includes(word))
  return { ...(build && { build }), ...(environment && { environment }) }
}

function checkRepository(asked = repository): void {
  if (asked === repository) return
  throw new TaskError(`This agent deploys builds of ${repository}; the request is for ${asked}.`)
}

/**
 * The word without the punctuation that ends a sentence. A run of it is looked at from its start alone: from each of its characters,
 * a long one that does not end the word would hold up the process for hours.
 */
const bare = (word: string): string => word.replace(/(?<![.+-])[.+-]+$/, '')
