// A round: fresh agents, so many requests from one seed, and whether they still do what they did before.
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { root } from '../kit.ts'
import { askWellKnown, lookAfterwards, type Seated } from './afterwards.ts'
import { type Agents, seats, type Vitals } from './agents.ts'
import { exchange } from './exchange.ts'
import { mutate } from './mutate.ts'
import { anyPlan, type Plan } from './plan.ts'
import { createPool } from './pool.ts'
import { bytesOf, type Request } from './request.ts'
import { openLedger } from './rows.ts'
import type { Template } from './templates.ts'
import { tryOut } from './trial.ts'

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
  /** The one, or those that show it together. */
  requests: readonly Request[]
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

export async function playRound(options: RoundOptions): Promise<Round> {
  const { agents, seed, requests, until, templates } = options
  const folder = join(options.folder, `round-${seed}`)
  mkdirSync(folder)
  const { ports } = await agents.start({ folder, seed })
  const targets = seats.map(({ name, database, token, operator }, index): Seated => {
    const port = ports[index]!
    const secrets = [realpathSync(folder), root, ...[token, operator].filter((one) => one !== undefined)]
    const ledger = openLedger(join(folder, name, database))
    return { name, port, ledger, secrets, pool: createPool(token, operator) }
  })
  await Promise.all(targets.map((target) => introduce(target, templates)))
  const before = await agents.vitals()
  const known = await Promise.all(targets.map(askWellKnown))
  const round: Round = {
    sent: 0,
    kinds: new Map(),
    failure: undefined,
    slowest: undefined,
    before,
    after: before,
  }

  // The length is not left to chance: it would begin with few.
  const plans = fc.array(anyPlan, { minLength: 1, maxLength: atOnce, size: 'max' })
  await fc.check(fc.asyncProperty(plans, attempt), {
    seed,
    numRuns: Math.ceil((requests * 2) / atOnce),
    interruptAfterTimeLimit: Math.max(1, until - performance.now()),
    markInterruptAsFailure: false,
  })
  if (agents.end() === undefined) {
    round.after = await agents.vitals()
    for (const [index, target] of targets.entries()) {
      const found = round.failure ? undefined : await lookAfterwards(target, known[index]!)
      if (found)
        round.failure = { problem: found.problem, agent: target.name, requests: [found.request], seed }
    }
    for (const { ledger } of targets) ledger.close()
    await agents.stop()
  }
  return round

  async function attempt(plans: readonly Plan[]): Promise<void> {
    const of = Map.groupBy(plans, ({ seat }) => targets[turns[seat % turns.length]!]!)
    const found = await Promise.all([...of].map(([target, own]) => attemptAt(target, own)))
    if (agents.end() !== undefined) {
      const [target, own] = [...of][0]!
      const text = `The agents' process has ended with ${agents.end()}.`
      round.failure = {
        problem: text,
        agent: target.name,
        requests: own.map((plan) => requestOf(target, plan)),
        seed,
      }
    } else round.failure = found.find((one) => one !== undefined) ?? round.failure
    if (found.some(Boolean) || agents.end() !== undefined) throw new Error(round.failure!.problem)
  }

  async function attemptAt(target: Seated, plans: readonly Plan[]): Promise<Failure | undefined> {
    const { outcomes, problem } = await tryOut(
      target,
      plans.map((plan) => requestOf(target, plan)),
    )
    round.sent += outcomes.length
    for (const { request, verdict, reply } of outcomes) {
      round.kinds.set(verdict.kind, (round.kinds.get(verdict.kind) ?? 0) + 1)
      target.pool.learn(reply.body)
      if (verdict.refused && reply.ms > (round.slowest?.ms ?? 0))
        round.slowest = { ms: reply.ms, agent: target.name, request }
    }
    return problem && { problem: problem.text, agent: target.name, requests: problem.requests, seed }
  }

  function requestOf({ pool }: Seated, plan: Plan): Request {
    return mutate(templates[plan.template % templates.length]!, plan, pool.names(plan.pick))
  }
}

/** So many requests are under way at once at most. */
const atOnce = 32

/** Which agent a request goes to: the reviewer gets few, since it starts git for each review. */
const turns = [0, 0, 0, 1, 1, 2, 2, 2, 0, 3]

/** Sends each template as it is, so that there are tasks in every state to be named. */
async function introduce({ port, pool }: Seated, templates: readonly Template[]): Promise<void> {
  const plain: Plan = { seat: 0, template: 0, pick: 1, json: [], head: [], body: [], framing: 'length' }
  for (let at = 0; at < templates.length; at += atOnce) {
    const some = templates.slice(at, at + atOnce)
    const replies = some.map((template, nth) => {
      const request = mutate(template, plain, pool.names(at + nth))
      return exchange(bytesOf(request), { port, patience: 100, halfClose: false, headOnly: false })
    })
    for (const { body } of await Promise.all(replies)) pool.learn(body)
  }
}
