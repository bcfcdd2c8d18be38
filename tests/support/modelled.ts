// An agent that waits twice and then does one deed, a model of its tasks, and what holds the one against the other.
import {
  type Agent,
  defineAgent,
  type RunningAgent,
  realWorld,
  startAgent,
  TaskError,
  textOf,
} from '@a2a-kit/task-core'
import { isTerminal, type TaskState } from '@a2a-kit/task-core/protocol'
import type fc from 'fast-check'
import { pino } from 'pino'
import { expect } from 'vitest'
import { type Answer, type Probe, talkTo, temporaryFolder } from './probe.ts'
import { until } from './wait.ts'

/** What a task is expected to be. */
export interface Expected {
  id: string
  state: TaskState
  /** How often its deed was done. */
  deeds: number
  /** Whether it failed since nobody decided in time. */
  expired?: boolean
  /** The message that made it. */
  first: object
}

export interface Model {
  tasks: Expected[]
}

export interface Real {
  probe: Probe
  /** Stops the agent and starts it again on the same data, so many ms later by its clock. */
  restart(later: number): Promise<void>
  /** The ids of the tasks whose deed was done, once each time. */
  deeds: string[]
}

/** Asks, waits for an approval of what was answered, and does it; a message meanwhile says what is to be approved instead. */
const agentThat = (act: (id: string) => void): Agent =>
  defineAgent({
    card: {
      name: 'modelled',
      description: 'Waits for an answer and an approval.',
      version: '0.1.0',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    },
    async run(task) {
      let wish = textOf(await task.ask('What?'))
      for (;;) {
        const approval = await task.authorize({
          operation: { wish },
          explain: (url) => `Approve it at ${url}`,
        })
        if (approval.outcome === 'approved') {
          await task.step('act', () => act(task.id), { approval })
          return 'Done.'
        }
        if (approval.outcome === 'denied') return await task.reject('It was denied.')
        if (approval.outcome !== 'message') throw new TaskError(`It was ${approval.outcome}.`)
        wish = textOf(approval.message)
      }
    },
  })

export async function startModelled(): Promise<Real> {
  const dataDir = await temporaryFolder()
  const deeds: string[] = []
  const agent = agentThat((id) => deeds.push(id))
  let ahead = 0
  const now = () => Date.now() + ahead
  const world = { ...realWorld, now, statusTime: now }
  let running: RunningAgent
  const settings = { taskRetention: 10 * 365 * 24 * 3600 }
  const start = async (): Promise<Probe> => {
    running = await startAgent(agent, { dataDir, world, settings, log: pino({ level: 'silent' }) })
    return { ...running, ...talkTo(`${running.url}/a2a`), dataDir }
  }
  const real: Real = {
    deeds,
    probe: await start(),
    async restart(later) {
      await running.close()
      ahead += later
      real.probe = await start()
    },
  }
  return real
}

export const call = ({ probe }: Real, operation: string, params: object): Promise<Answer> =>
  probe.call('JSONRPC', operation, params)

/** Everything that a client sees: what a refused request must not change. */
export const everything = async (real: Real): Promise<string> =>
  JSON.stringify(await call(real, 'ListTasks', { includeArtifacts: true }))

const states = ['INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']

/** Holds that each task is what the model says, that the counts agree, and that each deed was done as often as it says. */
async function holds({ tasks }: Model, real: Real): Promise<void> {
  for (const { id, state, deeds, first } of tasks) {
    const task = await until(`${id} in a state in which it rests`, async () => {
      const { result } = await call(real, 'GetTask', { id })
      return !/WORKING|SUBMITTED/.test(result.status.state) && result
    })
    expect([id, task.status.state]).toEqual([id, state])
    expect(real.deeds.filter((one) => one === id).length).toBe(deeds)
    expect(task.history[0]).toMatchObject(first)
  }
  for (const state of states.map((name) => `TASK_STATE_${name}`)) {
    const { result } = await call(real, 'ListTasks', { status: state })
    expect([state, result.totalSize]).toEqual([state, tasks.filter((task) => task.state === state).length])
  }
}

export type Command = fc.AsyncCommand<Model, Real>

/** A command that anybody can give at any time. */
export const command = (name: string, act: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  async run(model, real) {
    await act(model, real)
    await holds(model, real)
  },
  toString: () => name,
})

/** A command about one of the tasks; `nth` counts round them. Where `refused` says so, nothing may change. */
export const onTask = (
  name: string,
  nth: number,
  { refused, act }: { refused(task: Expected): boolean; act(task: Expected, real: Real): Promise<void> },
): Command => ({
  ...command(`${name}(${nth})`, async ({ tasks }, real) => {
    const task = tasks[nth % tasks.length]!
    const before = refused(task) ? await everything(real) : undefined
    await act(task, real)
    if (before !== undefined) expect(await everything(real)).toBe(before)
  }),
  check: ({ tasks }) => tasks.length > 0,
})

export const hasEnded = ({ state }: Expected): boolean => isTerminal(state)
