// The environments that builds are deployed to, and who may change one: one deploy at a time.

import type { Builds } from './builds.ts'
import { deployInto, type Order, settle } from './deploy.ts'
import { DeployError } from './deploy-error.ts'
import type { JournalLine } from './journal.ts'

/** Why nothing is deployed now, and until when, both in words for a person. */
export interface Freeze {
  reason: string
  until: string
}

export interface Environment {
  name: string
  freeze?: Freeze
}

export interface Environments {
  /** The names of all environments. */
  known(): string[]
  find(name: string): Environment | undefined
  /**
   * Deploys what was approved, once for each idempotency key; deploys to one environment wait for each other.
   * @throws DeployError when the environment is frozen or the archive is not what was approved; the signal's reason
   */
  deploy(order: Order): Promise<JournalLine>
  /** What the task deployed, after a deploy of its own that was cut is finished or undone; undefined if nothing. */
  deployedBy(taskId: string): Promise<JournalLine | undefined>
}

export const defaultEnvironments: Environment[] = [
  { name: 'staging' },
  { name: 'production', freeze: { reason: 'quarter-end close', until: '2026-10-12' } },
]

/** Says that an environment is frozen, and why. */
export const frozenText = ({ name, freeze }: Environment): string =>
  `Deploys to ${name} are frozen until ${freeze?.until}: ${freeze?.reason}.`

export interface EnvironmentsOptions {
  /** The folder that holds `environments/`. Only one process may use it at a time. */
  data: string
  builds: Pick<Builds, 'read'>
  environments?: Environment[]
  /** Milliseconds since the epoch. */
  now?: () => number
}

export function openEnvironments({
  data,
  builds,
  environments = defaultEnvironments,
  now = Date.now,
}: EnvironmentsOptions): Environments {
  const find = (name: string) => environments.find((environment) => environment.name === name)
  const inTurn = createTurns()

  return {
    known: () => environments.map(({ name }) => name),
    find,

    deploy: (order) =>
      inTurn(order.environment, async () => {
        const environment = find(order.environment)
        if (!environment) throw new DeployError(`There is no environment ${order.environment}.`)
        const folder = { data, name: environment.name }
        const lines = await settle(folder)
        const done = lines.find(({ idempotencyKey }) => idempotencyKey === order.idempotencyKey)
        if (done) return done
        if (environment.freeze) throw new DeployError(frozenText(environment))
        return await deployInto(folder, order, builds, now)
      }),

    async deployedBy(taskId) {
      for (const { name } of environments) {
        const lines = await inTurn(name, () => settle({ data, name }))
        const line = lines.find((one) => one.taskId === taskId)
        if (line) return line
      }
      return undefined
    },
  }
}

/** Calls with the same key run one after the other, in the order of their coming. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    return turn
  }
}
