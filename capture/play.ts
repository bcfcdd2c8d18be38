// Plays a scenario against its agents and gives what was recorded, in the form in which it is written.
import { request } from 'undici'
import { createActor, type Heard, version } from './actor.ts'
import { type AgentName, baseOf, kinds, startKit } from './kit.ts'
import type { Capture } from './model.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createSecrets } from './secrets.ts'
import { type Scenario, type Stage, seatsOf } from './story.ts'
import { setTimes } from './timeline.ts'
import { openWebhook, type Webhook } from './webhook.ts'
import { createWritten } from './written.ts'

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
  const restarts = new Map<number, AgentName>()
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
    quiet: () => recorder.until(() => recorder.exchanges.every(({ endedAt }) => endedAt !== undefined)),
    async webhook(options = {}) {
      const webhook = await openWebhook(recorder, names[0]!, options)
      webhooks.push(webhook)
      return webhook
    },
    async restart(agent) {
      await kit.restart(agent)
      restarts.set(recorder.exchanges.length + 1, agent)
    },
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
  const asWritten = createWritten(recorder.exchanges, { names, webhooks, secrets })
  const exchanges = recorder.exchanges.map((raw) => {
    const restarted = restarts.get(raw.n)
    const exchange = asWritten.exchange(raw, told.get(raw.n) ?? heard.shift())
    return restarted ? { ...exchange, restarted } : exchange
  })
  if (heard.length > 0) throw new Error(`Agents sent ${heard.length} requests fewer than are told of.`)
  setTimes(exchanges)
  const { variables } = asWritten
  return { name, title, about, variables, secrets: Object.keys(secrets.all()), exchanges }
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
