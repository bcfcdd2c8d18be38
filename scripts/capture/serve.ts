// Runs the agents of one capture, so that the requests of its file can be sent from an editor: `npm run capture -- serve 07`.

import type { ParsedCapture } from '../../capture/format.ts'
import { type AgentName, type Kit, kinds, startKit } from '../../capture/kit.ts'
import type { Exchange } from '../../capture/model.ts'
import { openReceiver, type Receiver } from '../../capture/receiver.ts'
import { createRecorder } from '../../capture/recorder.ts'
import { createSecrets } from '../../capture/secrets.ts'
import { type Scenario, seatsOf } from '../../capture/story.ts'
import { webhookBase } from '../../capture/webhook.ts'
import { wrapLines } from '../wrap.ts'

export interface Served {
  /** What to open and to set, for whoever started it. */
  explanation: string
  close(): Promise<void>
}

interface Ports {
  agent(name: AgentName): number
  webhook: number
}

/** Those that the files name. */
const documented: Ports = {
  agent: (name) => kinds[name].port,
  webhook: Number(new URL(webhookBase).port),
}

/**
 * Starts the agents of `scenario` on the seeds of `capture`, and what receives its push notifications.
 * @throws Error that names the port which is taken
 */
export async function serve(
  capture: ParsedCapture,
  scenario: Scenario,
  ports: Ports = documented,
): Promise<Served> {
  const secrets = createSecrets()
  const seats = seatsOf(scenario, secrets.of)
  for (const secret of capture.secrets) secrets.of(secret)
  const roads = createRecorder()
  let kit: Kit | undefined
  let webhook: Receiver | undefined

  async function close(): Promise<void> {
    await kit?.close()
    await webhook?.close()
    await roads.close()
  }

  try {
    kit = await startKit({
      capture: capture.name,
      seats,
      dispatcher: () => roads.dispatcher(undefined),
      listens: (agent, port) => roads.lead(kinds[agent].port, port),
      ports: ports.agent,
    })
    if (capture.variables.webhook) webhook = await openWebhook(capture, ports.webhook)
  } catch (error) {
    await close()
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? portTaken(error as { port?: number })
      : error
  }
  const addresses = Object.keys(seats).map((name): [string, string] => [
    name,
    `http://localhost:${kit.port(name as AgentName)}`,
  ])
  if (webhook) addresses.push(['webhook', webhook.url])
  return { explanation: explain(capture, { addresses, secrets: secrets.all(), agents: seats }), close }
}

/** Answers as recorded, in order. */
function openWebhook({ exchanges }: ParsedCapture, port: number): Promise<Receiver> {
  const answers = exchanges.filter(({ to }) => to === 'webhook').map(({ answer }) => answer.status)
  return openReceiver(() => answers.shift() ?? 204, port)
}

const portTaken = ({ port }: { port?: number }): Error =>
  new Error(
    `Port ${port} is taken, and the file says that port. Stop what listens there, then start this again.`,
  )

interface Facts {
  addresses: [name: string, url: string][]
  secrets: Record<string, string>
  /** By the names of those that run here. */
  agents: object
}

function explain({ name, title, exchanges }: ParsedCapture, { addresses, secrets, agents }: Facts): string {
  const width = Math.min(process.stdout.columns ?? 100, 100)
  const say = (text: string): string => wrapLines(text, width)
  const file = `capture/out/${name}.http`
  const isByAgent = ({ from }: Exchange): boolean => from in agents
  const own = exchanges.filter((exchange) => !isByAgent(exchange))
  const byAgents = exchanges.filter(isByAgent)
  const given = Object.entries(secrets)
  const words = given.map(([secret, value]) => ` --var ${secret}=${value}`).join('')
  const titles = Math.max(...own.map(({ title }) => title.length))
  const requests = own.map((exchange) =>
    `  ${nameOf(exchange)}  ${exchange.title.padEnd(titles)}  ${hints(exchange, own)}`.trimEnd(),
  )
  const paragraphs = [
    say(`${name}: ${title}`),
    addresses.map(([who, url]) => `  ${who.padEnd(16)} ${url}`).join('\n'),
    say(`Open ${file} in an editor that sends requests (VS Code with REST Client or httpyac, JetBrains), and send \
these in their order. Or in a terminal, each by its name:`),
    `  npx httpyac send ${file} --name ${own[0] ? nameOf(own[0]) : 'ex01'}${words}`,
    say(requests.join('\n')),
    own.some(({ answer }) => answer.frames) &&
      say('In a terminal, httpyac prints a stream when it has ended, and nothing before.'),
    own.some(({ answer }) => answer.cut) &&
      say('One that is to be stopped waits after a second or two, and prints nothing there.'),
    byAgents.length > 0 &&
      say(`Sent by the agents themselves, so to be left out: ${byAgents.map(nameOf).join(', ')}.`),
    given.length > 0 &&
      say('In an editor, put the secrets below the other variables of the file; they are new each time:'),
    given.map(([secret, value]) => `  @${secret} = ${value}`).join('\n'),
    say(
      'The answers have the ids and times of the file, once. To start over: Ctrl-C, and the same command again.',
    ),
  ]
  return paragraphs.filter(Boolean).join('\n\n')
}

/** As the file names its requests. */
const nameOf = ({ n }: Exchange): string => `ex${String(n).padStart(2, '0')}`

/** What the reader has to know to get the recorded answer to this one of `own`. */
function hints({ n, after, answer }: Exchange, own: Exchange[]): string {
  const open = own.filter(
    (one) =>
      after.some(({ exchange }) => exchange === one.n) || (one.n < n && n <= (one.answer.endedAfter ?? 0)),
  )
  return [
    open.length > 0 && `from another terminal, while ${open.map(nameOf).join(' and ')} still goes on`,
    answer.cut && 'to be stopped (Ctrl-C) where its stream waits',
    answer.frames && !answer.cut && 'a stream',
  ]
    .filter(Boolean)
    .join('; ')
}
