// A round: fresh agents, so many requests from one seed, and whether they still do what they did before.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { root } from '../kit.ts'
import { type Agents, seats, type Vitals } from './agents.ts'
import { exchange } from './exchange.ts'
import { anyPlan, mutate, type Plan } from './mutate.ts'
import { createPool, type Pool } from './pool.ts'
import { bytesOf, type Request } from './request.ts'
import { openLedger } from './rows.ts'
import type { Template } from './templates.ts'
import { healthOf, type Target, tryOut } from './trial.ts'

export interface RoundOptions {
  agents: Agents
  folder: string
  seed: number
  requests: number
  /** When to end in any case, in ms of the process. */
  until: number
  templates: readonly Template[]
}

export interface Failure {
  problem: string
  agent: string
  request: Request
  seed: number
}

export interface Round {
  sent: number
  /** By what came of them. */
  kinds: Map<string, number>
  failure: Failure | undefined
  /** The request for whose answer was waited longest, of those that do not wait for a task. */
  slowest: { ms: number; agent: string; request: Request } | undefined
  before: Vitals
  after: Vitals
}

/** Where the agents are sent what they understand. */
interface Seated extends Target {
  pool: Pool
}

export async function playRound(options: RoundOptions): Promise<Round> {
  const { agents, seed, requests, until, templates } = options
  const folder = join(options.folder, `round-${seed}`)
  mkdirSync(folder)
  const { ports } = await agents.start({ folder, seed })
  const targets = seats.map(({ name, database, token }, index): Seated => {
    const port = ports[index]!
    const secrets = [realpathSync(folder), root, ...(token ? [token, 'second-caller-0123456789'] : [])]
    const ledger = openLedger(join(folder, name, database))
    return { name, port, ledger, secrets, pool: createPool(token) }
  })
  for (const target of targets) await introduce(target, templates)
  const told = await Promise.all(targets.map(wellKnown))
  const before = await agents.vitals()
  const round: Round = {
    sent: 0,
    kinds: new Map(),
    failure: undefined,
    slowest: undefined,
    before,
    after: before,
  }

  const property = fc.asyncProperty(anyPlan, (plan) => attempt(plan))
  await fc.check(property, {
    seed,
    numRuns: requests,
    interruptAfterTimeLimit: Math.max(1, until - performance.now()),
    markInterruptAsFailure: false,
  })
  if (agents.end() === undefined) {
    round.after = await agents.vitals()
    for (const [index, target] of targets.entries()) {
      const now = round.failure ? told[index] : await wellKnown(target)
      if (now !== told[index])
        round.failure = failed(target, 'A good request is answered otherwise than before.', askWellKnown)
    }
    for (const { ledger } of targets) ledger.close()
    await agents.stop()
  }
  return round

  async function attempt(plan: Plan): Promise<void> {
    const target = targets[plan.seat % targets.length]!
    const template = templates[plan.template % templates.length]!
    const request = mutate(template, plan, target.pool.names(plan.pick))
    const { verdict, reply, problem } = await tryOut(target, request)
    round.sent += 1
    round.kinds.set(verdict.kind, (round.kinds.get(verdict.kind) ?? 0) + 1)
    target.pool.learn(reply.body)
    if (verdict.refused && reply.ms > (round.slowest?.ms ?? 0))
      round.slowest = { ms: reply.ms, agent: target.name, request }
    const found = agents.end() === undefined ? problem : `The agents' process has ended with ${agents.end()}.`
    if (found === undefined) return
    round.failure = failed(target, found, request)
    throw new Error(found)
  }

  function failed({ name }: Target, problem: string, request: Request): Failure {
    return { problem, agent: name, request, seed }
  }
}

/** Sends each template as it is, so that there are tasks in every state to be named. */
async function introduce({ port, pool }: Seated, templates: readonly Template[]): Promise<void> {
  const plain: Plan = { seat: 0, template: 0, pick: 0, json: [], head: [], body: [], framing: 'length' }
  for (const [nth, template] of templates.entries()) {
    const request = mutate(template, plain, pool.names(nth))
    const reply = await exchange(bytesOf(request), { port, patience: 100, halfClose: false, headOnly: false })
    pool.learn(reply.body)
  }
}

const askWellKnown: Request = {
  method: 'GET',
  target: '/.well-known/agent-card.json',
  headers: [
    ['Host', 'localhost'],
    ['Connection', 'close'],
  ],
  body: undefined,
  framing: 'length',
}

/** The answers to good requests, which stay the same to the byte. */
async function wellKnown({ port }: Target): Promise<string> {
  const card = await exchange(bytesOf(askWellKnown), {
    port,
    patience: 20_000,
    halfClose: false,
    headOnly: false,
  })
  return `${(await healthOf(port)).body}\n${card.body}`
}
