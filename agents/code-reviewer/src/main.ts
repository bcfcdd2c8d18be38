// Runs the code reviewer as a process, over the repository that is made from the fixture.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@a2a-kit/task-core'
import { codeReviewer } from './agent.ts'
import { makeFixtureRepository } from './fixture.ts'
import { openRepository } from './repository.ts'

const fixture = fileURLToPath(new URL('../../../fixtures/payments-api', import.meta.url))

await serve(
  async ({ dataDir }) => {
    const gitDir = await makeFixtureRepository(fixture, join(dataDir, 'code-reviewer', 'repositories'))
    return codeReviewer({ repositories: [openRepository('payments-api', gitDir)] })
  },
  { port: 41242, grpcPort: 42242 },
)
