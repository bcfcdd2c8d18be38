// Sends each task's events to its receivers, in order, at least once: one loop for each config that has something to send (§4.3.3).
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PushConfigRow, Store } from '../store/index.ts'
import {
  idsOf,
  within as inScope,
  plainTracer,
  spanned,
  type Telemetry,
  taskScope,
} from '../telemetry/index.ts'
import type { World } from '../world.ts'
import type { Resolve } from './connect.ts'
import { type Hosts, hostOf } from './hosts.ts'
import { payloads as ownPayloads, type Payloads } from './payloads.ts'
import { createPost, type Outcome } from './post.ts'
import { createPushSlots } from './slots.ts'

/** Times in ms; `Settings` explains them. */
export interface PushSettings {
  pushTimeout: number
  pushAttempts: number
  pushFirstDelay: number
  pushLongestDelay: number
}

export interface PushOptions {
  store: Store
  world: World
  log: Logger
  settings: PushSettings
  /** By default traces are passed on, and not recorded. */
  telemetry?: Telemetry
  hosts: Hosts
  payloads?: Payloads
  /** How names become addresses; by default as the system does it. */
  resolve?: Resolve | undefined
}

const one = { most: 1, enough: 0 }
/** Requests under way at once: each needs a socket, and callers need some too. Neither a host that hangs nor a caller with many such hosts must hold up the others. */
const mostAtOnce = { all: 200, ofCaller: 180, ofHost: 50 }

interface Sent {
  config: PushConfigRow
  event: number
  outcome: Outcome
}

export function createPushes({
  store,
  world,
  log,
  settings,
  telemetry = { tracer: plainTracer(world) },
  hosts,
  payloads = ownPayloads,
  resolve,
}: PushOptions) {
  const { pushConfigs, events, tasks } = store.committed
  const { post, close } = createPost({ hosts, timeout: settings.pushTimeout, resolve, now: world.now })
  const within = createPushSlots(mostAtOnce)
  const live = new Map<number, AbortController>()
  let closed = false

  function start(config: number): void {
    if (closed || live.has(config)) return
    const stopping = new AbortController()
    live.set(config, stopping)
    // No commit comes between the look that finds nothing more to send and this.
    void run(config, stopping.signal).finally(() => live.delete(config))
  }

  /** Sends what there is to send, and returns when there is nothing more, or nothing more is wanted. */
  async function run(key: number, signal: AbortSignal): Promise<void> {
    let storeFailures = 0
    while (!signal.aborted) {
      let pause: number | undefined
      try {
        const config = pushConfigs.due(key)
        if (!config) return
        const sent = await within(config.owner, new URL(config.url).host, () => sendNext(key, signal))
        if (!sent || signal.aborted) return
        pause = await note(sent)
        storeFailures = 0
      } catch (err) {
        // The store failed: what was sent and could not be noted is sent again.
        if (!signal.aborted)
          log.error({ err }, 'A push notification config could not be read or noted; trying again.')
        storeFailures += 1
        pause = pauseAfter(storeFailures, 0)
      }
      if (pause !== undefined) await delay(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Sends the next event of the log. It is read only now, so that those who wait hold nothing of it. @returns undefined if there is none */
  async function sendNext(key: number, signal: AbortSignal): Promise<Sent | undefined> {
    const config = signal.aborted ? undefined : pushConfigs.due(key)
    if (!config) return undefined
    const [event] = events.after(config.task, config.delivered, one)
    if (!event) throw new Error(`Nothing follows event ${config.delivered} of a config that is due.`)
    const payloadOf = payloads[config.version] ?? payloads['1.0']
    const span = {
      name: 'push notification',
      kind: 'client',
      attributes: { 'server.address': new URL(config.url).hostname },
    } as const
    const send = () => spanned(span, () => post(config, payloadOf(event, config.task, events), signal))
    const task = tasks.ids(config.task)
    const outcome = await (task ? inScope(taskScope(telemetry, task), send) : send())
    return { config, event: event.n, outcome }
  }

  /** @returns after a failed try, how long to wait for the next one, in ms */
  async function note({ config, event, outcome }: Sent): Promise<number | undefined> {
    if (!outcome.ok) return noteFailure(config, outcome)
    await store.write(() => store.writing.pushConfigs.advance(config.config, event))
    return undefined
  }

  async function noteFailure(
    config: PushConfigRow,
    outcome: Outcome & { ok: false },
  ): Promise<number | undefined> {
    const failures = config.failures + 1
    const ends = outcome.gone || failures >= settings.pushAttempts
    await store.write(() => {
      const { fail, giveUp } = store.writing.pushConfigs
      fail(config.config)
      if (ends) giveUp(config.config)
    })
    const task = tasks.ids(config.task)
    // The rest of its URL may hold secrets.
    const { host } = new URL(config.url)
    const facts = {
      ...(task && idsOf(task)),
      configId: config.id,
      host,
      why: outcome.why,
      failures,
    }
    if (ends) {
      log.error(facts, 'A receiver of push notifications is given up. Creating its config again takes it up.')
      return undefined
    }
    const retryInMs = Math.round(pauseAfter(failures, outcome.retryAfter))
    log.warn({ ...facts, retryInMs }, 'A push notification was not taken; trying again.')
    return retryInMs
  }

  /** Twice as long each time, with jitter; longer if the receiver asks for it, up to the longest pause. */
  function pauseAfter(failures: number, retryAfter: number): number {
    const { pushFirstDelay, pushLongestDelay } = settings
    const cap = Math.min(pushLongestDelay, pushFirstDelay * 2 ** (failures - 1))
    return Math.max(cap * (0.5 + world.random() / 2), Math.min(retryAfter, pushLongestDelay))
  }

  return {
    /** Takes up what was not delivered when the process stopped. */
    open(): void {
      for (const config of pushConfigs.allDue()) start(config)
    },
    /** The task has something new in the log, or a new config. */
    wake(task: number): void {
      for (const config of pushConfigs.dueOf(task)) start(config)
    },
    /** Cuts what is under way for a config that is no more. */
    stop: (config: number): void => live.get(config)?.abort(),
    /** Why no request may go to `url`, as far as that can be said without asking for its address. */
    refusal(url: string): string | undefined {
      const host = hostOf(new URL(url))
      const isName = !/^[\d.]+$|:/.test(host)
      const isLocal = host === 'localhost' || host.endsWith('.localhost')
      const permitted =
        hosts.permitsName(host) || (isName && !isLocal) || hosts.permitsAddress(isLocal ? '127.0.0.1' : host)
      return permitted
        ? undefined
        : 'must have a public address: this agent sends to private ones only where PUSH_ALLOWED_HOSTS names them'
    },
    /** How many configs are being sent to, or wait for their next try. */
    sending: () => live.size,
    /** Cuts what is under way; the next start sends it again. */
    async close(): Promise<void> {
      closed = true
      for (const stopping of live.values()) stopping.abort()
      await close()
    },
  }
}
