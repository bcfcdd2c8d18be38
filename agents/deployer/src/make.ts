// Puts the deployer together: over the builds that are made from the fixture, and the environments below its folder.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent } from '@a2a-kit/task-core'
import { deployer } from './agent.ts'
import { makeBuilds, openBuilds } from './builds.ts'
import { defaultEnvironments, openEnvironments } from './environments.ts'

const tree = fileURLToPath(new URL('../../../fixtures/payments-api/tree', import.meta.url))

/** `PRODUCTION_FREEZE=off` in `env` lifts the freeze that production is under by default. `now` gives ms since the epoch. */
export async function makeDeployer(
  { dataDir }: { dataDir: string },
  env: NodeJS.ProcessEnv = process.env,
  now: () => number = Date.now,
): Promise<Agent> {
  const data = join(dataDir, 'deployer')
  const environments = defaultEnvironments.map(({ name, freeze }) =>
    freeze && env.PRODUCTION_FREEZE !== 'off' ? { name, freeze } : { name },
  )
  await makeBuilds(data, tree)
  const builds = openBuilds(data)
  return deployer({ builds, environments: openEnvironments({ data, builds, environments, now }) })
}
