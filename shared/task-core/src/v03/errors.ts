// Errors for 0.3 clients: the same codes, in the words and the shape that they know (§8 of 0.3).
import { A2AError } from '../protocol/index.ts'
import { methods03 } from './methods.ts'
import { jsonRole, jsonState, protoState } from './shape.ts'

type Reword = (text: string) => string

/** What fields are called by a 0.3 client, by their names in 1.0. */
export type Names = { readonly [field: string]: string }

/** `error` with the fields at fault as `names` has them; only their first names change. */
export function withNames(error: A2AError, names: Names): A2AError {
  const rename = (field: string) => field.replace(/^\w+/, (name) => names[name] ?? name)
  const violations = error.violations.map(({ field, ...rest }) => ({ field: rename(field), ...rest }))
  const first = error.violations[0]?.field ?? ''
  // The text names the first of them after a colon.
  const message = error.message.replace(`: ${first} `, `: ${rename(first)} `)
  return new A2AError(error.name, message, { metadata: error.metadata, violations })
}

/** The body of an error over HTTP+JSON. */
export const httpJsonError03 = (error: A2AError): string => JSON.stringify(errorObject(error, inProtoWords))

/** The JSON-RPC response for an error, as text. */
export const jsonRpcError03 = (id: unknown, error: A2AError): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: errorObject(error, inJsonWords) })

/** JSONRPCError, which HTTP+JSON sends too. Some clients take only an object for `data`. */
function errorObject({ row, message, metadata, violations, retryAfter }: A2AError, reword: Reword): object {
  const fieldViolations = violations.map(({ field, description }) => ({
    field: reword(field),
    description: reword(description),
  }))
  const { state } = metadata
  return {
    code: row.code,
    message: reword(message),
    data: {
      reason: row.reason,
      ...(Object.keys(metadata).length > 0 && {
        metadata: { ...metadata, ...(state && { state: reword(state) }) },
      }),
      ...(violations.length > 0 && { fieldViolations }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
  }
}

const slashNames = new Map([...methods03].map(([method, operation]) => [operation as string, method]))
const operationName = new RegExp(`\\b(${[...slashNames.keys()].join('|')})\\b`, 'g')

/** Which contents a part has too many of. */
const contentsIn =
  (bytes: string, uri: string): Reword =>
  (text) =>
    text.replace(/\braw\b/, bytes).replace(/\burl\b/, uri)

const inJsonWords: Reword = (text) =>
  text
    .replace(operationName, (name) => slashNames.get(name)!)
    .replace(/\bTASK_STATE_[A-Z_]+\b/g, jsonState)
    .replace(/\bROLE_(USER|AGENT)\b/g, jsonRole)
    .replace('configuration.returnImmediately', 'configuration.blocking')
    .replace('configuration.taskPushNotificationConfig', 'configuration.pushNotificationConfig')
    .replace('authentication.scheme', 'authentication.schemes')
    .replace('one of text, raw, url, data', 'one of text, file, data')
    .replace(/only one of [a-z, ]+/, contentsIn('file.bytes', 'file.uri'))
    .replace(/(parts\[\d+\])\.raw\b/, '$1.file.bytes')
    .replace(/(parts\[\d+\])\.url\b/, '$1.file.uri')
    .replace(/(parts\[\d+\])\.mediaType\b/, '$1.file.mimeType')
    .replace(/(parts\[\d+\])\.filename\b/, '$1.file.name')

const inProtoWords: Reword = (text) =>
  text
    .replace(/\bTASK_STATE_[A-Z_]+\b/g, protoState)
    .replace('configuration.returnImmediately', 'configuration.blocking')
    .replace('configuration.taskPushNotificationConfig', 'configuration.pushNotification')
    .replace('authentication.scheme', 'authentication.schemes')
    .replace('one of text, raw, url, data', 'one of text, file, data')
    .replace(/only one of [a-z, ]+/, contentsIn('file.fileWithBytes', 'file.fileWithUri'))
    .replace('message.parts', 'message.content')
    .replace(/(content\[\d+\])\.raw\b/, '$1.file.fileWithBytes')
    .replace(/(content\[\d+\])\.url\b/, '$1.file.fileWithUri')
    .replace(/(content\[\d+\])\.mediaType\b/, '$1.file.mimeType')
