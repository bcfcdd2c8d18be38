// Plays a scenario against its agents and gives what was recorded, in the form in which it is written.
import type { Json } from '@a2a-kit/task-core'
import { endsStream, type StreamResponse } from '@a2a-kit/task-core/protocol'
import { request } from 'undici'
import { createActor, type Heard, version } from './actor.ts'
import { unwrittenHeaders } from './headers.ts'
import { type AgentName, baseOf, kinds, startKit } from './kit.ts'
import type { Answer, Body, Capture, Exchange, Frame, Header, Request } from './model.ts'
import { createRecorder, type RawExchange, type Recorder } from './recorder.ts'
import { createSecrets } from './secrets.ts'
import { type Scenario, type Stage, seatsOf } from './story.ts'
import { setTimes } from './timeline.ts'
import { openWebhook, type Webhook, webhookBase } from './webhook.ts'

/** How long a scenario may take, in ms; more than that, and it waits for what never comes. */
const usualPatience = 60_000

/**
 * `name` is that of the capture's files; `patience` is in ms.
 * @throws Error where the scenario throws, waits for what does not come, or tells of other requests than are sent
 */
export async function play(name: string, scenario: Scenario, patience = usualPatience): Promise<Capture> {
  const { title, about } = scenario
  const recorder = createRecorder()
  const told = new Map<number, Heard>()
  const heard: Heard[] = []
  const secrets = createSecrets()
  const webhooks: Webhook[] = []
  const seats = seatsOf(scenario, secrets.of)
  const names = Object.keys(seats) as AgentName[]
  const kit = await startKit({
    capture: name,
    seats,
    dispatcher: (from) => recorder.dispatcher(from),
    listens: (agent, port) => recorder.lead(kinds[agent].port, port),
  })
  const stage: Stage = {
    actor: (actor) => createActor(actor, recorder, (note) => told.set(recorder.exchanges.length + 1, note)),
    overheard: (notes) => void heard.push(...notes),
    async until(agent, taskId, state) {
      const dispatcher = recorder.dispatcher(undefined)
      for (;;) {
        const reply = await request(`${baseOf(agent)}/a2a/tasks/${taskId}`, { headers: version, dispatcher })
        const task = (await reply.body.json()) as { status?: { state: string } }
        if (task.status?.state === state) return
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    begun: (n, frames = 0) =>
      recorder.until(() => {
        const exchange = recorder.exchanges[n - 1]
        return exchange !== undefined && (exchange.frames?.length ?? 0) >= frames
      }),
    quiet: () => recorder.until(() => recorder.exchanges.every(({ endedAt }) => endedAt !== undefined)),
    async webhook(options = {}) {
      const webhook = await openWebhook(recorder, names[0]!, options)
      webhooks.push(webhook)
      return webhook
    },
    restart: (agent) => kit.restart(agent),
    secret: secrets.of,
  }
  try {
    await within(
      patience,
      scenario.play(stage),
      () => `This waits for what does not come. ${stateOf(recorder)}`,
    )
  } finally {
    await kit.close()
    await recorder.close()
    for (const webhook of webhooks) await webhook.close()
  }
  const exchanges = recorder.exchanges.map((raw) => written(raw, told.get(raw.n) ?? heard.shift()))
  if (heard.length > 0) throw new Error(`Agents sent ${heard.length} requests fewer than are told of.`)
  setTimes(exchanges)
  return {
    name,
    title,
    about,
    variables: {
      ...Object.fromEntries(names.map((agent) => [variableOf(agent), baseOf(agent)])),
      ...(webhooks.length > 0 && { webhook: webhookBase }),
    },
    secrets: Object.keys(secrets.all()),
    exchanges,
  }

  /** `base` where there is one agent, else the agent's name. */
  function variableOf(agent: AgentName): string {
    return names.length === 1 ? 'base' : agent.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  }

  function written(raw: RawExchange, note: Heard | undefined): Exchange {
    const { n, from, method, url, sightings, endedAt } = raw
    if (!note) throw new Error(`Nothing is told of exchange ${n}, ${method} ${url} by ${from}.`)
    if (raw.status === 0) throw new Error(`Exchange ${n}, ${method} ${url} by ${from}, has no answer.`)
    const { origin, pathname, search } = new URL(url)
    const agent = names.find((one) => baseOf(one) === origin)
    const request: Request = {
      method,
      url: `{{${agent ? variableOf(agent) : 'webhook'}}}${pathname}${search}`,
      headers: headersOf(raw.requestHeaders),
    }
    const requestBody = bodyOf(raw.requestBody, '{{webhook}}')
    if (requestBody !== undefined) request.body = requestBody
    const answer: Answer = { status: raw.status, reason: raw.reason, headers: headersOf(raw.headers), ms: 0 }
    const answerBody = bodyOf(raw.body, webhookBase)
    if (raw.frames) {
      answer.frames = raw.frames.map(({ id, data }) => ({
        atMs: 0,
        ...(id !== undefined && { id }),
        data: bodyOf(data, webhookBase) as Json,
      }))
      if (raw.cut && !endsWithTheEnd(answer.frames)) answer.cut = true
    } else if (answerBody !== undefined) answer.body = answerBody
    if (!raw.frames && endedAt !== undefined && endedAt > n) answer.endedAfter = endedAt
    const after = [...sightings]
      .map(([exchange, frames]) => ({ exchange, frames }))
      .filter(({ exchange, frames }) => frames < recorder.exchanges[exchange - 1]!.frames!.length)
    return {
      n,
      title: titleOf(request),
      from,
      to: agent ?? 'webhook',
      after,
      tell: note.tell,
      request,
      answer,
      notice: note.notice ?? '',
    }
  }

  function headersOf(headers: Header[]): Header[] {
    return headers
      .filter(([key]) => !unwrittenHeaders.has(key.toLowerCase()))
      .map(([key, value]) => [key, secrets.hidden(value)])
  }

  function bodyOf(text: string, webhook: string): Body {
    if (text === '') return undefined
    let own = secrets.hidden(text)
    for (const { url } of webhooks) own = own.replaceAll(url, webhook)
    return /^\s*[[{]/.test(own) ? (JSON.parse(own) as Json) : own
  }
}

/** Whether nothing was to come any more: a client may leave then, and whether it or the agent is first is chance. */
function endsWithTheEnd(frames: Frame[]): boolean {
  const data = frames.at(-1)?.data as ({ result?: StreamResponse } & StreamResponse) | undefined
  const { task, statusUpdate } = data?.result ?? data ?? {}
  const status = (statusUpdate ?? task)?.status
  return status !== undefined && endsStream(status.state)
}

/** The operation, or the method and the path. */
function titleOf({ method, url, body }: Request): string {
  const called =
    typeof body === 'object' && body !== null && !Array.isArray(body) && 'jsonrpc' in body && body.method
  if (called) return String(called)
  const path = url.replace(/^\{\{\w+\}\}/, '').replace(/\?.*/, '')
  return `${method} ${path.replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1')}`
}

/** What is recorded by now, for whoever wonders why nothing more is. */
function stateOf({ exchanges }: Recorder): string {
  const open = exchanges.filter(({ endedAt }) => endedAt === undefined)
  const shown = open.map(
    ({ n, from, method, url, frames }) =>
      `${n}, ${method} ${url} by ${from}${frames ? `, with ${frames.length} frames` : ''}`,
  )
  return `There are ${exchanges.length} exchanges, and ${shown.length > 0 ? `still open are: ${shown.join('; ')}` : 'all have ended'}.`
}

async function within<T>(ms: number, work: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(what())), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
