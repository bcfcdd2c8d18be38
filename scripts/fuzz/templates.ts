// What is mutated: the requests of the captures, with what is known to the agents in the place of the ids that they name.
import type { Json } from '@a2a-kit/task-core'
import { type ParsedCapture, parse } from '../../capture/format.ts'
import { captureNames, readOut } from '../../capture/library.ts'

export interface Template {
  method: string
  target: string
  headers: [name: string, value: string][]
  /** JSON, or text as it is. */
  body: Json | undefined
}

/** The first part of a captured address, by what it stands for. */
const atAgent = /^(\{\{\w+\}\})(\/.*)$/

/** The templates: every request of every capture to one of the kit's agents, each once. */
export function readTemplates(): Template[] {
  const all = captureNames().flatMap((name) => templatesOf(parse(name, readOut)))
  return [...new Map([...all, ...others].map((one) => [JSON.stringify(one), one])).values()]
}

function templatesOf(capture: ParsedCapture): Template[] {
  const known = idsOf(capture)
  return capture.exchanges.flatMap(({ request: { method, url, headers, body } }) => {
    const [, agent, target] = atAgent.exec(url) ?? []
    if (target === undefined || agent === '{{webhook}}') return []
    const text = JSON.stringify({ method, target, headers, body })
    return [JSON.parse(withPlaces(text, known)) as Template]
  })
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Which of the ids are contexts', and which are configs'; all others are taken for tasks'. */
function idsOf({ exchanges }: ParsedCapture) {
  const text = JSON.stringify(exchanges)
  const named = (name: string) =>
    new Set([...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, id]) => id!))
  const configs = [...text.matchAll(/pushNotificationConfigs\/([0-9a-f-]{36})/g)].map(([, id]) => id!)
  return { contexts: named('contextId'), configs: new Set(configs) }
}

function withPlaces(text: string, { contexts, configs }: ReturnType<typeof idsOf>): string {
  return text
    .replace(/"messageId":"[^"]*"/g, '"messageId":"{{message}}"')
    .replace(/"contextId":"[^"]*"/g, '"contextId":"{{context}}"')
    .replace(uuid, (id) => (contexts.has(id) ? '{{context}}' : configs.has(id) ? '{{config}}' : '{{task}}'))
    .replace(/Bearer \{\{\w+\}\}/g, 'Bearer {{token}}')
    .replace(/sleep \d+/g, 'sleep 3')
}

const version: Template['headers'] = [['A2A-Version', '1.0']]
const operator: Template['headers'][number] = ['Authorization', 'Bearer {{operator}}']
const json: Template['headers'] = [...version, ['Content-Type', 'application/json']]
const form: Template['headers'] = [['Content-Type', 'application/x-www-form-urlencoded']]
const say = (text: string): Json => ({
  message: { messageId: '{{message}}', role: 'ROLE_USER', parts: [{ text }] },
})
const post = (target: string, body: Json, headers = json): Template => ({
  method: 'POST',
  target,
  headers,
  body,
})
const get = (target: string, headers = version): Template => ({
  method: 'GET',
  target,
  headers,
  body: undefined,
})
const config = {
  url: 'https://receiver.example/hook',
  token: 't',
  authentication: { scheme: 'Bearer', credentials: 'c' },
}

/** What no capture shows. */
const others: Template[] = [
  ...['ask', 'authorize x', 'chunks 3 of 20', 'data a {"b":[1]}', 'reply hello', 'echo', 'throw x'].map(
    (text) => post('/a2a/message:send', say(text)),
  ),
  post('/a2a/message:send', {
    ...(say('ask') as object),
    configuration: {
      historyLength: 1,
      acceptedOutputModes: ['text/plain'],
      taskPushNotificationConfig: config,
    },
  }),
  post('/a2a/message:send', {
    message: {
      messageId: '{{message}}',
      role: 'ROLE_USER',
      taskId: '{{task}}',
      parts: [
        { text: 'main' },
        { data: { build: '2026.10.06-1' } },
        { raw: 'aGk=', filename: 'a', mediaType: 'text/plain' },
      ],
      metadata: { a: 1 },
    },
  }),
  post('/a2a/tasks/{{task}}/pushNotificationConfigs', { id: 'c', ...config }),
  get('/a2a/tasks/{{task}}/pushNotificationConfigs?pageSize=1'),
  get('/a2a/tasks/{{task}}/pushNotificationConfigs/{{config}}'),
  { ...get('/a2a/tasks/{{task}}/pushNotificationConfigs/{{config}}'), method: 'DELETE' },
  get(
    '/a2a/tasks?pageSize=2&pageToken=MTc5NjI4&includeArtifacts=true&statusTimestampAfter=2026-10-06T09:00:00Z',
  ),
  get('/a2a/v1/tasks/{{task}}', []),
  get('/a2a/v1/tasks/{{task}}:subscribe', []),
  get('/a2a/v1/tasks/{{task}}/pushNotificationConfigs', []),
  get('/a2a/v1/card', []),
  get('/health', []),
  get('/openapi.json', []),
  get('/approve/{{task}}', [['Accept', 'text/html']]),
  post('/approve/{{task}}', { digest: 'x' }),
  post('/approve/{{task}}', {}, [...json, operator]),
  post('/deny/{{task}}', { reason: 'no' }, [...json, operator]),
  post('/revoke/{{task}}', {}, [...json, operator]),
  get('/approve/{{task}}', [operator]),
  get('/approvals', [operator]),
  get('/metrics', []),
  get('/ready', []),
  post('/revoke/{{task}}?digest=x', { reason: 'no' }),
  post('/revoke/{{task}}', {}),
  post('/deny/{{task}}', { reason: 'no' }),
  post('/deny/{{task}}', 'reason=no&digest=', form),
]
