// What goes wrong between processes: clients that are rude or vanish, a webhook that misbehaves, wires that garble.
import { type Name, names } from '../agents.ts'
import { beRude, rudeness } from '../callers.ts'
import type { Told } from '../scene.ts'
import { webhookFaults } from '../webhook.ts'
import { wireFaults } from '../wire.ts'
import { after, type Fault, moment } from './fault.ts'

/** Clients whose connections break, again and again: their streams have to be taken up where they were. */
export const clientsVanish: Fault = (chance) => {
  const times = Array.from({ length: chance.between(1, 8) }, () => chance.between(20, 250))
  return {
    words: `the connections of all clients are reset ${times.length} times`,
    async run(scene) {
      for (const ms of times) {
        await after(ms, scene)
        scene.callers.vanish()
      }
    },
  }
}

export const rudeClients: Fault = (chance) => {
  const how = chance.some(rudeness, chance.between(1, 3))
  const [count, ms] = [chance.between(5, 40), chance.between(200, 1200)]
  return {
    words: `${count} clients ${how.join(', ')}, for ${ms} ms`,
    async run(scene) {
      const over = new AbortController()
      await after(60, scene)
      for (let nth = 0; nth < count; nth += 1) {
        const told = scene.told[nth % scene.told.length]!
        beRude(scene.agents[told.agent], how[nth % how.length]!, told.taskId || 'none', over.signal)
      }
      try {
        await after(ms, scene)
      } finally {
        over.abort()
      }
    },
  }
}

export const webhook: Fault = (chance) => {
  const kinds = chance.some(webhookFaults, chance.between(1, 3))
  const ms = chance.between(200, 900)
  return {
    words: `the webhook gives ${kinds.map((kind) => `"${kind}"`).join(', ')}, each for ${ms} ms`,
    async run(scene) {
      try {
        for (const kind of kinds) {
          scene.webhook.fault = kind
          await after(ms, scene)
        }
      } finally {
        scene.webhook.fault = undefined
      }
    },
  }
}

const peers: readonly Name[] = names.filter((name) => name === 'code-reviewer' || name === 'deployer')

/** The planner talks to its peers over wires that do not leave its bytes alone. */
export const wires: Fault = (chance) => {
  const kinds = chance.some(wireFaults, chance.between(1, 2))
  const [at, ms] = [moment(chance), chance.between(200, 800)]
  return {
    words: `the wires to the peers give "${kinds.join('", "')}" from ${at} ms on, each for ${ms} ms`,
    // What is no answer of the protocol fails the planner's task, with a reason; what breaks off does not.
    ...(kinds.includes('garbage') && { excuses: ({ agent }: Told) => agent === 'planner' }),
    async run(scene) {
      await after(at, scene)
      try {
        for (const kind of kinds) {
          for (const name of peers) scene.wires[name].fault = kind
          await after(ms, scene)
        }
      } finally {
        for (const name of peers) scene.wires[name].fault = undefined
      }
    },
  }
}
