// Processes that are killed, killed again while they start, stopped, and paused.
import { type Name, names } from '../agents.ts'
import { after, type Fault, moment } from './fault.ts'

/** The process is gone at once, for a while. */
export const kill: Fault = (chance) => {
  const victims = chance.some(names, chance.pick([1, 1, 2, 4])).map((name) => ({
    name,
    at: moment(chance),
    away: chance.pick([0, 0, 200, 700]),
  }))
  return {
    words: `kill -9 ${victims.map(({ name, at, away }) => `${name} at ${at} ms for ${away} ms`).join(', ')}`,
    async run(scene) {
      await Promise.all(
        victims.map(async ({ name, at, away }) => {
          const agent = scene.agents[name]
          await after(at, scene)
          await agent.end('SIGKILL')
          await after(away, scene)
          agent.start()
          await agent.answers()
        }),
      )
    },
  }
}

const moments = ['commit:before', 'commit:after', 'step:before', 'step:after', 'send:before', 'send:after']

/** The process dies between two of its own doings, which a kill from outside seldom meets. */
export const die: Fault = (chance) => {
  const name = chance.pick(names)
  const where = chance.pick(moments.filter((one) => !one.startsWith('send') || name === 'planner'))
  const nth = chance.between(1, where.startsWith('commit') ? 25 : 4)
  return {
    words: `kill -9 ${name} at its ${where}#${nth}`,
    async run(scene) {
      const agent = scene.agents[name]
      const starts = agent.starts()
      agent.mayDie(true)
      await agent.order({ do: 'die', moment: where, nth })
      for (let waited = 0; waited < 2000 && agent.starts() === starts; waited += 50) await after(50, scene)
      if (agent.starts() === starts) await agent.order({ do: 'heal' })
      await agent.answers()
      agent.mayDie(false)
    },
  }
}

/** It dies again while it starts, with what the first death left half done. */
export const killAtStart: Fault = (chance) => {
  const name = chance.pick(names)
  const at = moment(chance)
  const cuts = Array.from({ length: chance.between(1, 3) }, () => chance.between(100, 1500))
  return {
    words: `kill -9 ${name} at ${at} ms, and ${cuts.map((ms) => `${ms} ms`).join(', ')} into its starts`,
    async run(scene) {
      const agent = scene.agents[name]
      await after(at, scene)
      await agent.end('SIGKILL')
      for (const ms of cuts) {
        agent.start()
        await after(ms, scene)
        await agent.end('SIGKILL')
      }
      agent.start()
      await agent.answers()
    },
  }
}

/** A stop in good order, in the middle of streams and calls. */
export const stop: Fault = (chance) => {
  const victims = chance.some(names, chance.pick([1, 2])).map((name) => ({ name, at: moment(chance) }))
  return {
    words: `SIGTERM to ${victims.map(({ name, at }) => `${name} at ${at} ms`).join(', ')}`,
    async run(scene) {
      const ends = victims.map(async ({ name, at }) => {
        const agent = scene.agents[name]
        await after(at, scene)
        const how = await agent.end('SIGTERM')
        agent.start()
        await agent.answers()
        return how === 0 ? [] : [`${name} ended with ${how} when it was stopped, and not with 0`]
      })
      return (await Promise.all(ends)).flat()
    },
  }
}

/** Processes that stand still for a while and go on. */
export const freeze: Fault = (chance) => {
  const victims = chance.some(names, chance.pick([1, 2])).map((name: Name) => ({
    name,
    at: moment(chance),
    ms: chance.pick([100, 500, 1500]),
  }))
  return {
    words: `SIGSTOP ${victims.map(({ name, at, ms }) => `${name} at ${at} ms for ${ms} ms`).join(', ')}`,
    async run(scene) {
      await Promise.all(
        victims.map(async ({ name, at, ms }) => {
          await after(at, scene)
          scene.agents[name].signal('SIGSTOP')
          try {
            await after(ms, scene)
          } finally {
            scene.agents[name].signal('SIGCONT')
          }
        }),
      )
    },
  }
}
