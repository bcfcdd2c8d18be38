// The page that the card's documentationUrl names (§4.4.1): how long the agent keeps what, and how much it takes, as it is set up.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'

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
  ]
  return all.filter(([, most]) => most > 0).map(([what, most, per, then]) => [what, `${most} ${per}`, then])
}

const tryLater = 'More is refused; Retry-After says for how long.'
const refused = 'More is refused.'
const waitsOn = 'Further messages are refused, and the task waits on.'
const fails = 'More fails the task, which keeps what it had.'

export function policyRoute(app: FastifyInstance, name: string, settings: Settings): void {
  const page = pageOf(name, settings)
  app.get('/policy', async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .header('cache-control', 'public, max-age=60')
      .type('text/html; charset=utf-8')
      .send(page),
  )
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

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const table = (head: string[], rows: string[][]): string => {
  const row = (cells: string[], cell: string) =>
    `<tr>${cells.map((text) => `<${cell}>${escaped(text)}</${cell}>`).join('')}</tr>`
  return `<table>\n<thead>${row(head, 'th')}</thead>\n<tbody>\n${rows.map((cells) => row(cells, 'td')).join('\n')}\n</tbody>\n</table>`
}

const pageOf = (name: string, settings: Settings): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}: what it keeps and takes</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0 }
</style>
</head>
<body>
<h1>${escaped(name)}: what it keeps and takes</h1>
<h2>How long</h2>
${table(['what', 'is kept', 'then'], times(settings))}
<p>A task that waits or works is never removed.</p>
<h2>How much</h2>
${table(['what', 'at most', 'beyond'], sizes(settings))}
<h2>How much one caller may do</h2>
${table(['what', 'at most', 'beyond'], rates(settings))}
</body>
</html>
`
