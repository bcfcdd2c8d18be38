// The kit's own agents in this process, over the fixture, for clients that other people wrote.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeReviewer } from '@a2a-kit/code-reviewer'
import { deployer } from '@a2a-kit/deployer'
import type { Agent, AgentOptions } from '@a2a-kit/task-core'
import { makeFixtureRepository } from '../../agents/code-reviewer/src/fixture.ts'
import { openRepository } from '../../agents/code-reviewer/src/repository.ts'
import { makeBuilds, openBuilds } from '../../agents/deployer/src/builds.ts'
import { openEnvironments } from '../../agents/deployer/src/environments.ts'
import { type Probe, startProbe, temporaryFolder } from './probe.ts'
import type { SdkBinding } from './sdk-client.ts'

const fixture = fileURLToPath(new URL('../../fixtures/payments-api', import.meta.url))

/** What the reviewer asks when nobody named a branch. */
export const question = 'Which base branch should I compare this diff against?'

/** A diff of the fixture that the reviewer approves. */
export const goodDiff = () => readFile(join(fixture, 'changes', 'idempotency-keys.diff'), 'utf8')

/** The options with which an agent serves `binding`. */
export const serving = (binding: SdkBinding) => (binding === 'GRPC' ? { grpcPort: 0 } : {})

/** The code reviewer over the fixture's repository. */
export async function makeReviewer(): Promise<Agent> {
  const gitDir = await makeFixtureRepository(fixture, await temporaryFolder())
  return codeReviewer({ repositories: [openRepository('payments-api', gitDir)] })
}

/** The deployer over the fixture's builds. */
export async function makeDeployer(): Promise<Agent> {
  const data = await temporaryFolder()
  await makeBuilds(data, join(fixture, 'tree'))
  const builds = openBuilds(data)
  return deployer({ builds, environments: openEnvironments({ data, builds }) })
}

/** The code reviewer as a server, and a message that has it ask. */
export async function startReviewer(
  binding: SdkBinding,
  more: Partial<AgentOptions> = {},
): Promise<{ probe: Probe; review: string }> {
  const probe = await startProbe({ agent: await makeReviewer(), ...serving(binding), ...more })
  return { probe, review: `Please review this diff of payments-api:\n\n${await goodDiff()}` }
}

/** The deployer as a server. */
export const startDeployer = async (binding: SdkBinding, more: Partial<AgentOptions> = {}): Promise<Probe> =>
  startProbe({ agent: await makeDeployer(), ...serving(binding), ...more })
