// The extensions that the kit defines, by their URIs (§4.6). Each has a page in docs/extensions.
import type { AgentExtension } from './card-types.ts'
import type { Message, Struct } from './types.ts'

/** Replays on SubscribeToTask what came after the event named in `Last-Event-ID`; ids are the events' numbers in the task. */
export const replayExtension = 'urn:a2a-kit:replay:1'

/** In the status message of TASK_STATE_AUTH_REQUIRED: what an approval would cover, as data. */
export const approvalExtension = 'urn:a2a-kit:approval:1'

/** In the status message of TASK_STATE_INPUT_REQUIRED: the JSON Schema of the data that answers the question. */
export const answerSchemaExtension = 'urn:a2a-kit:answer-schema:1'

/** In the status message of TASK_STATE_FAILED: from when on the same work can be asked for again. */
export const retryAtExtension = 'urn:a2a-kit:retry-at:1'

/** What the card declares of them. */
export const kitExtensions: readonly AgentExtension[] = [
  {
    uri: replayExtension,
    description: 'SubscribeToTask with Last-Event-ID replays what a lost stream missed.',
  },
  {
    uri: approvalExtension,
    description:
      'A request for approval says as data which operation it covers, until when, and where to approve.',
  },
  {
    uri: answerSchemaExtension,
    description: 'A question says which data answers it, as a JSON Schema.',
  },
  {
    uri: retryAtExtension,
    description: 'A task that failed at a rate limit behind the agent says as data when that ends.',
  },
]

/** The value of `approvalExtension`. */
export interface ApprovalRequest {
  /** Exactly what would be done. */
  operation: Struct
  /** SHA-256 of the operation's canonical JSON (RFC 8785), in hex: the decision may name it, and is then for this operation or for none. */
  digest: string
  /** When the request ends by itself, ISO 8601. */
  expiresAt: string
  /** Where an operator approves: a POST, plain HTTP. A GET shows the request. */
  approveUrl: string
  /** Where an operator denies, with a reason: a POST. */
  denyUrl: string
}

/** What extensions say in a message, by their URIs. */
export type ExtensionValues = { [uri: string]: Struct }

/** The fields of a message that carry them. */
export const extensionFields = (values: ExtensionValues = {}): Pick<Message, 'extensions' | 'metadata'> => {
  const extensions = Object.keys(values)
  return extensions.length > 0 ? { extensions, metadata: values } : {}
}

/** What the kit's extensions say in another agent's message, to be passed on. */
export function valuesOf(message: Message | undefined): ExtensionValues {
  const metadata = message?.metadata ?? {}
  return Object.fromEntries(
    [approvalExtension, answerSchemaExtension].flatMap((uri) => {
      const value = Object.hasOwn(metadata, uri) ? metadata[uri] : undefined
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [[uri, value]] : []
    }),
  )
}

/** When the work that `message` says has failed at a rate limit can be asked for again; undefined if it says nothing that is a time. */
export function retryAtOf(message: Message | undefined): Date | undefined {
  const { retryAt } = (message?.metadata?.[retryAtExtension] ?? {}) as { retryAt?: unknown }
  const at = new Date(typeof retryAt === 'string' ? retryAt : Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}
