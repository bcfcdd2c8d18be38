// Runs the deployer as a process, over the builds that are made from the fixture.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@a2a-kit/task-core'
import { deployer } from './agent.ts'
import { makeBuilds, openBuilds } from './builds.ts'
import { defaultEnvironments, openEnvironments } from './environments.ts'

const tree = fileURLToPath(new URL('../../../fixtures/payments-api/tree', import.meta.url))

/** `PRODUCTION_FREEZE=off` lifts the freeze that production is under by default. */
const environments = defaultEnvironments.map(({ name, freeze }) =>
  freeze && process.env.PRODUCTION_FREEZE !== 'off' ? { name, freeze } : { name },
)

await serve(
  async ({ dataDir }) => {
    const data = join(dataDir, 'deployer')
    await makeBuilds(data, tree)
    const builds = openBuilds(data)
    return deployer({ builds, environments: openEnvironments({ data, builds, environments }) })
  },
  { port: 41243, grpcPort: 42243 },
)
