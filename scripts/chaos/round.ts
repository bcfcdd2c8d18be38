// One round: stories are told while faults are at work, and what is left of it is looked at.
import { names } from './agents.ts'
import { openCallers } from './callers.ts'
import { chanceOf } from './chance.ts'
import { checkRound } from './checks/index.ts'
import { type Chosen, chooseFaults } from './faults/index.ts'
import type { Scene, Told } from './scene.ts'
import { chooseStories, newTold, tell } from './stories/index.ts'
import type { World } from './world.ts'

export interface RoundPlan {
  number: number
  stories: string[]
  faults: Chosen[]
}

export interface Round extends RoundPlan {
  /** What does not hold; empty if all is well. */
  problems: string[]
  ms: number
}

/** How long the stories and the faults of a round may take together before the round counts as stuck, in ms. */
const patience = 60_000
const storiesAtOnce = 5

/** What round `number` of this seed does. The same arguments give the same plan. */
export function planRound(seed: number, number: number, faults: readonly string[]): RoundPlan {
  const chance = chanceOf(seed).fork(number)
  return {
    number,
    stories: chooseStories(chance.fork('stories'), storiesAtOnce),
    faults: chooseFaults(chance.fork('faults'), faults),
  }
}

export async function playRound(world: World, seed: number, plan: RoundPlan): Promise<Round> {
  const begun = performance.now()
  const over = new AbortController()
  const timer = setTimeout(
    () => over.abort(new Error(`it was stuck: no end within ${patience / 1000} s`)),
    patience,
  )
  const agents = world.agents.all
  const starts = new Map(names.map((name) => [name, agents[name].starts()]))
  const callers = openCallers(Object.values(agents), over.signal)
  const healed = Promise.withResolvers<void>()
  const told = plan.stories.map(newTold)
  const scene: Scene = {
    id: `round-${plan.number}-${seed}`,
    agents,
    wires: world.wires,
    callers,
    webhook: world.webhook,
    chance: chanceOf(seed).fork(plan.number).fork('scene'),
    signal: over.signal,
    healed: healed.promise,
    told,
  }
  const problems: string[] = []
  const early = plan.faults.filter((fault) => !fault.plan.late)
  const late = plan.faults.filter((fault) => fault.plan.late)
  const failures = new Map<Told, Error>()
  const begin = (one: Told) =>
    tell(one.story, { ...scene, chance: scene.chance.fork(one.story) }, one).catch((error: Error) => {
      failures.set(one, error)
      if (over.signal.aborted) problems.push(`${one.story}: it had no end: ${lastOf(one)}`)
    })
  try {
    const tales = told.map(begin)
    await Promise.all(early.map((fault) => runFault(fault, scene, problems)))
    await Promise.all(names.map((name) => agents[name].answers()))
    healed.resolve()
    await Promise.all(tales)
    problems.push(...(await checkRound(world, scene, { plan, failures, starts })))
    for (const fault of late) await runFault(fault, scene, problems)
  } catch (error) {
    problems.push(`the round broke off: ${(error as Error).message}`)
  } finally {
    clearTimeout(timer)
    healed.resolve()
  }
  await callers.close()
  for (const wire of Object.values(world.wires)) wire.drop()
  world.webhook.drop()
  if (problems.length === 0) for (const name of names) problems.push(...(await world.holdings(agents[name])))
  problems.push(...world.agents.surprises())
  return { ...plan, problems, ms: performance.now() - begun }
}

/** What a client that waits in vain had seen last. */
function lastOf({ agent, taskId, streams }: Told): string {
  const last = streams.flat().reduce((most, seen) => (seen.n > most.n ? seen : most), { n: 0, event: {} })
  return `task "${taskId}" of ${agent}, last seen at event ${last.n}: ${JSON.stringify(last.event).slice(0, 200)}`
}

async function runFault({ name, plan }: Chosen, scene: Scene, problems: string[]): Promise<void> {
  try {
    problems.push(...((await plan.run(scene)) ?? []))
  } catch (error) {
    problems.push(`the fault ${name} could not be carried out: ${(error as Error).message}`)
  }
}
