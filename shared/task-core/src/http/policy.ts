// What the card's documentationUrl names (§4.4.1): how long the agent keeps what, and how much it takes, as a page and as data.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { type Html, html } from './operators/html.ts'
import { answer, page } from './operators/page.ts'

const unknown = 'Afterwards it is unknown.'

/** What is kept or waits, for how long, and what happens then. */
const times = ({ taskRetention, inputTtl, approvalTtl }: Settings): string[][] => [
  ['A task that has ended, with all its messages and artifacts', inWords(taskRetention), unknown],
  ['A context', 'as long as a task of it is kept', unknown],
  ['A question that nobody answers', inWords(inputTtl), 'Then its task fails.'],
  [
    'A request for approval that nobody decides',
    inWords(approvalTtl),
    'Then it expires, and its task fails.',
  ],
  ['What operators were asked, and what they decided', 'for ever', 'The audit log is never purged.'],
]

/** What is bounded, how, and what happens beyond. */
const sizes = (settings: Settings): string[][] => [
  ['A request', `${settings.maxBody} bytes`, refused],
  ['A message', `${settings.maxParts} parts`, refused],
  ['The metadata of a message, a part or a request', `${settings.maxMetadata} bytes as JSON`, refused],
  ['The history of a task', `${settings.maxHistory} messages, ${settings.maxHistoryBytes} bytes`, waitsOn],
  ['The artifacts of a task', `${settings.maxArtifacts}, of ${settings.maxArtifactBytes} bytes`, fails],
  ['The push notification configs of a task', `${settings.maxPushConfigs}`, refused],
]

/** What one caller may do, and what happens beyond; without the limits that are switched off. */
const rates = (settings: Settings): string[][] => {
  const all: [what: string, most: number, per: string, then: string][] = [
    ['Requests', settings.maxRequestsPerSecond, 'a second', tryLater],
    ['Messages', settings.maxMessagesPerMinute, 'a minute', tryLater],
    ['Streams and blocking calls that are open', settings.maxStreamsPerCaller, 'at once', refused],
    ['Tasks that have not ended', settings.maxOpenTasksPerCaller, 'at once', refused],
    [
      'Tokens that do not hold, from one address',
      settings.maxAuthFailuresPerMinute,
      'a minute',
      'Then no token from there is looked at until the minute is over.',
    ],
  ]
  return all.filter(([, most]) => most > 0).map(([what, most, per, then]) => [what, `${most} ${per}`, then])
}

const tryLater = 'More is refused; Retry-After says for how long.'
const refused = 'More is refused.'
const waitsOn = 'Further messages are refused, and the task waits on.'
const fails = 'More fails the task, which keeps what it had.'

/** The same for programs, under the names of the variables that set it; times are in seconds. */
const dataOf = (agent: string, settings: Settings) => ({
  agent,
  kept: {
    TASK_RETENTION: settings.taskRetention,
    INPUT_TTL: settings.inputTtl,
    APPROVAL_TTL: settings.approvalTtl,
    auditLog: 'for ever',
  },
  taken: {
    MAX_BODY_BYTES: settings.maxBody,
    MAX_PARTS: settings.maxParts,
    MAX_METADATA_BYTES: settings.maxMetadata,
    MAX_HISTORY: settings.maxHistory,
    MAX_HISTORY_BYTES: settings.maxHistoryBytes,
    MAX_ARTIFACTS: settings.maxArtifacts,
    MAX_ARTIFACT_BYTES: settings.maxArtifactBytes,
    MAX_PUSH_CONFIGS: settings.maxPushConfigs,
  },
  perCaller: {
    MAX_REQUESTS_PER_SECOND: settings.maxRequestsPerSecond || undefined,
    MAX_MESSAGES_PER_MINUTE: settings.maxMessagesPerMinute || undefined,
    MAX_STREAMS_PER_CALLER: settings.maxStreamsPerCaller || undefined,
    MAX_OPEN_TASKS_PER_CALLER: settings.maxOpenTasksPerCaller || undefined,
    MAX_AUTH_FAILURES_PER_MINUTE: settings.maxAuthFailuresPerMinute || undefined,
  },
})

export function policyRoute(app: FastifyInstance, name: string, settings: Settings): void {
  const text = pageOf(name, settings)
  const data = dataOf(name, settings)
  app.get('/policy', async (request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=60', vary: 'Accept' })
    return answer(request, reply, data, () => text)
  })
}

const units: [string, number][] = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** `seconds` in the largest unit that says them exactly. */
function inWords(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0)!
  const many = seconds / length
  return `${many} ${unit}${many === 1 ? '' : 's'}`
}

const table = (head: string[], rows: string[][]): Html =>
  html`<table>
<thead><tr>${head.map((text) => html`<th>${text}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`\n<tr>${cells.map((text) => html`<td>${text}</td>`)}</tr>`)}
</tbody>
</table>`

function pageOf(name: string, settings: Settings): string {
  const heading = `${name}: what it keeps and takes`
  return page(
    heading,
    html`<h1>${heading}</h1>
<h2>How long</h2>
${table(['what', 'is kept', 'then'], times(settings))}
<p>A task that waits or works is never purged.</p>
<h2>How much</h2>
${table(['what', 'at most', 'beyond'], sizes(settings))}
<h2>How much one caller may do</h2>
${table(['what', 'at most', 'beyond'], rates(settings))}`,
  )
}
