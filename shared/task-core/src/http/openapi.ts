// The OpenAPI document of the HTTP+JSON binding, made from the table of its routes and the schemas that validate.
import {
  type AgentCard,
  errorSchema,
  type JsonSchema,
  requestSchemas,
  responseSchemas,
} from '../protocol/index.ts'
import { idsIn, type Method, routes } from './http-json-routes.ts'

type Schemas = Record<string, { schema?: JsonSchema; definitions?: Record<string, JsonSchema> }>

// A streaming operation takes what its answering one takes.
const requests: Schemas = { ...requestSchemas, SendStreamingMessage: requestSchemas.SendMessage }
const responses: Schemas = responseSchemas
const streaming = new Set(['SendStreamingMessage', 'SubscribeToTask'])

const header = (name: string, description: string, more: object = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
  ...more,
})
const version = header('A2A-Version', 'The version of the protocol (§3.6).', {
  required: true,
  example: '1.0',
})
const extensions = header('A2A-Extensions', 'The extensions to activate, by URI, parted by commas (§3.2.6).')
const lastEventId = header('Last-Event-ID', 'With the replay extension: the last event that was seen.')

/** OpenAPI 3.1, for the agent of this card. */
export function openApi(card: AgentCard): object {
  const base = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'HTTP+JSON')
  const definitions = [requests, responses, { errorSchema }].flatMap((all) =>
    Object.values(all).map((one) => one.definitions ?? {}),
  )
  return {
    openapi: '3.1.0',
    info: { title: card.name, description: card.description, version: card.version },
    servers: base ? [{ url: base.url }] : [],
    paths: Object.fromEntries(routes.map(({ path, verbs }) => [path, pathItem(path, verbs)])),
    components: {
      schemas: Object.assign({}, ...definitions),
      ...(card.securitySchemes && { securitySchemes: httpSchemes(card.securitySchemes) }),
    },
    ...(card.securitySchemes && {
      security: Object.keys(card.securitySchemes).map((name) => ({ [name]: [] })),
    }),
  }
}

/** The schemes as OpenAPI has them; the agent's own are all of HTTP. */
const httpSchemes = (schemes: NonNullable<AgentCard['securitySchemes']>): object =>
  Object.fromEntries(
    Object.entries(schemes).map(([name, { httpAuthSecurityScheme: one }]) => [
      name,
      { type: 'http', ...one, scheme: 'bearer' },
    ]),
  )

function pathItem(path: string, verbs: Partial<Record<Method, string>>): object {
  return Object.fromEntries(
    Object.entries(verbs).map(([method, operation]) => [
      method.toLowerCase(),
      describe(path, method, operation),
    ]),
  )
}

function describe(path: string, method: string, operation: string): object {
  const ids = idsIn(path)
  const properties = Object.entries(definitionOf(requests[operation]).properties ?? {}) as [
    string,
    JsonSchema,
  ][]
  const others = properties.filter(([name]) => !ids.includes(name) && name !== 'tenant')
  const inQuery = method === 'POST' ? [] : others
  return {
    // An operation with two verbs has two ids.
    operationId: operation + (operation === 'SubscribeToTask' && method === 'GET' ? 'ByGet' : ''),
    parameters: [
      version,
      extensions,
      ...(operation === 'SubscribeToTask' ? [lastEventId] : []),
      ...ids.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...inQuery.map(([name, schema]) => ({ name, in: 'query', schema })),
    ],
    ...(method === 'POST' && { requestBody: bodyOf(operation, ids, others) }),
    responses: {
      200: { description: 'The answer.', content: answerOf(operation) },
      default: { description: 'An error (§11.6).', content: asJson(errorSchema.schema!) },
    },
  }
}

/** What a path's ids say need not be in the body. */
function bodyOf(operation: string, ids: string[], others: [string, JsonSchema][]): object {
  const schema = ids.length === 0 ? requests[operation]!.schema! : withoutIds(operation, ids, others)
  return { required: ids.length === 0, content: asJson(schema) }
}

function withoutIds(operation: string, ids: string[], others: [string, JsonSchema][]): JsonSchema {
  const { required = [] } = definitionOf(requests[operation]) as { required?: string[] }
  const left = required.filter((name) => !ids.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(others),
    ...(left.length > 0 && { required: left }),
  }
}

const answerOf = (operation: string): object => {
  const schema = responses[operation]!.schema!
  return streaming.has(operation) ? { 'text/event-stream': { schema } } : asJson(schema)
}

const asJson = (schema: JsonSchema): object => ({
  'application/json': { schema },
  'application/a2a+json': { schema },
})

/** The schema itself where `schema` only names it. */
function definitionOf(described: Schemas[string] | undefined): { properties?: object; required?: unknown } {
  const { schema = {}, definitions = {} } = described ?? {}
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined
  return name === undefined ? schema : (definitions[name] ?? {})
}
