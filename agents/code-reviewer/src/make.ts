// Puts the code reviewer together: over the repository that is made from the fixture.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent } from '@a2a-kit/task-core'
import { codeReviewer } from './agent.ts'
import { makeFixtureRepository } from './fixture.ts'
import { openRepository } from './repository.ts'

const fixture = fileURLToPath(new URL('../../../fixtures/payments-api', import.meta.url))

export async function makeCodeReviewer({ dataDir }: { dataDir: string }): Promise<Agent> {
  const gitDir = await makeFixtureRepository(fixture, join(dataDir, 'code-reviewer', 'repositories'))
  return codeReviewer({ repositories: [openRepository('payments-api', gitDir)] })
}
