import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CanceledTask, Decision, Json, Message, TaskHandle } from '@a2a-kit/task-core'
import { describe, expect, it } from 'vitest'
import { deployer } from './agent.ts'
import { dataWithBuilds, lookAt, orderFor } from './test-data.ts'

const url = 'http://localhost:41243/approve/task-1'
const at = '2026-10-06T09:00:01.000Z'
const digest = '0'.repeat(64)
const approved: Decision = { outcome: 'approved', by: 'operator', at, digest }
const message = (text: string): Message => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text }] })
const said = (text: string): Decision => ({ outcome: 'message', message: message(text) })

/** Runs the agent on a task whose waits end with these decisions; gives what a stream would show. */
async function run(
  request: string,
  decisions: Decision[] = [],
  options = {},
  prepare = async (_data: string) => {},
) {
  const { data, builds, environments } = await dataWithBuilds(options)
  await prepare(data)
  const agent = deployer({ builds, environments })
  const shown: string[] = []
  const operations: Json[] = []
  let artifact: unknown
  const task: Partial<TaskHandle> = {
    id: 'task-1',
    caller: 'planner',
    message: message(request),
    signal: new AbortController().signal,
    working: async (progress) => void shown.push(`working: ${progress}`),
    step: async (name, work, { approval } = {}) => {
      if (approval) shown.push(`uses the approval of ${approval.by}`)
      return work({
        idempotencyKey: `task-1/step:${name}#1`,
        signal: new AbortController().signal,
        out: { append: async () => {} },
      })
    },
    authorize: async ({ operation, explain }) => {
      operations.push(operation)
      shown.push(`auth required: ${explain(url)}`)
      return decisions.shift() ?? Promise.reject(new Error('asked once more'))
    },
    artifact: async ({ name, data: content }) => {
      artifact = content
      shown.push(`artifact: ${name}`)
    },
    reject: async (reason) => {
      shown.push(`rejected: ${reason}`)
      throw new Error('ended')
    },
  }
  await agent.run(task as TaskHandle).then(
    (end) => shown.push(`completed: ${end}`),
    (error) => error.message !== 'ended' && shown.push(`${error.name}: ${error.message}`),
  )
  const { checksum } = (await builds.find('2026.10.06-1'))!
  return { data, shown, operations, artifact, checksum }
}

const asks = `auth required: An operator must approve this deploy at ${url}`
const stillWaits = (checksum: string) =>
  `Build 2026.10.06-1 (${checksum}) still waits to be deployed to staging. A message cannot approve it, only name another build or environment, or withdraw it.`
const staging = 'Deploy build 2026.10.06-1 to staging'

describe('the deployer', () => {
  it('deploys a build that an operator approved, and says so in deployment.json', async () => {
    const now = () => Date.parse('2026-10-06T09:00:02Z')
    const { data, shown, operations, artifact, checksum } = await run(staging, [approved], { now })
    expect(shown).toEqual([
      `working: Build 2026.10.06-1 found, ${checksum}. Deploying it to staging takes an approval.`,
      asks,
      'uses the approval of operator',
      'artifact: deployment.json',
      'completed: Build 2026.10.06-1 is deployed to staging, as the first build there.',
    ])
    const operation = { repository: 'payments-api', build: '2026.10.06-1', environment: 'staging', checksum }
    expect(operations).toEqual([{ action: 'deploy', ...operation, requester: 'planner' }])
    expect(artifact).toEqual({
      build: '2026.10.06-1',
      environment: 'staging',
      checksum,
      previousBuild: null,
      approvedBy: 'operator',
      approvedAt: at,
      deployedAt: '2026-10-06T09:00:02.000Z',
      release: `environments/staging/releases/${(await lookAt(data)).current}`,
    })
  })

  it.each([
    [
      'Deploy build 2026.10.06-1 to the moon',
      'rejected: There is no environment moon. Known: staging, production.',
    ],
    [
      'Deploy build 2026.10.06-1 to production',
      'rejected: Deploys to production are frozen until 2026-10-12: quarter-end close.',
    ],
    [
      'Deploy build 7 to staging',
      'TaskError: There is no build 7. Known: 2026.09.29-1, 2026.10.05-2, 2026.10.06-1.',
    ],
    ['Hello', expect.stringMatching(/^TaskError: The request does not name a build and an environment/)],
  ])('answers "%s" before anybody is asked', async (request, end) => {
    expect((await run(request)).shown).toEqual([end])
  })

  it.each<[string, Decision, string]>([
    [
      'is rejected with the reason when it is denied',
      { outcome: 'denied', by: 'Ann', at, digest, reason: 'not on a Friday' },
      'rejected: Build 2026.10.06-1 was not deployed to staging; Ann denied it: not on a Friday',
    ],
    [
      'is rejected with the reason when its approval is revoked',
      { outcome: 'revoked', by: 'Ann', at, digest, reason: 'wrong build' },
      'rejected: Build 2026.10.06-1 was not deployed to staging; Ann revoked the approval: wrong build',
    ],
    [
      'is rejected with the words of a client that withdraws',
      said('reject, wrong region'),
      'rejected: Build 2026.10.06-1 was not deployed to staging; the client withdrew it: reject, wrong region',
    ],
    [
      'fails when the request expires',
      { outcome: 'expired', at, digest },
      `TaskError: Build 2026.10.06-1 was not deployed to staging; nobody approved it until ${at}. A new task asks again.`,
    ],
  ])('a deploy %s', async (_what, decision, end) => {
    const { data, shown } = await run(staging, [decision])
    expect(shown.at(-1)).toBe(end)
    await expect(lookAt(data)).rejects.toThrow('ENOENT')
  })

  it('asks the same again when the client says "approved", and deploys nothing', async () => {
    const { data, shown, operations, checksum } = await run(staging, [said('approved'), said('yes, go')])
    const again = asks.replace('An operator', `${stillWaits(checksum)} An operator`)
    expect(shown.slice(1)).toEqual([asks, again, again, 'Error: asked once more'])
    expect(new Set(operations.map((operation) => JSON.stringify(operation))).size).toBe(1)
    await expect(lookAt(data)).rejects.toThrow('ENOENT')
  })

  it('asks for another operation when the client corrects it, and deploys that', async () => {
    const { shown, operations, artifact } = await run(staging, [said('2026.10.05-2 instead'), approved])
    expect(operations).toMatchObject([{ build: '2026.10.06-1' }, { build: '2026.10.05-2' }])
    expect(artifact).toMatchObject({ build: '2026.10.05-2' })
    expect(shown.at(-1)).toMatch('Build 2026.10.05-2 is deployed')
  })

  it('holds a correction to the same rules as the first request', async () => {
    const { shown } = await run(staging, [said('to production please')])
    expect(shown.at(-1)).toMatch('rejected: Deploys to production are frozen')
  })

  it('fails with the reason when the archive is no longer what was approved', async () => {
    const broken = async (data: string) => appendFile(join(data, 'builds/2026.10.06-1.tar.gz'), 'x')
    const { data, shown, checksum } = await run(staging, [approved], {}, broken)
    expect(shown.at(-1)).toMatch('TaskError: The archive of build 2026.10.06-1 cannot be deployed')
    expect(shown.at(-1)).toMatch(`it should be ${checksum}`)
    await expect(lookAt(data)).rejects.toThrow('ENOENT')
  })
})

describe('the question for builds', () => {
  it('is answered at once, in words and as data', async () => {
    const { builds, environments } = await dataWithBuilds()
    const { reply } = deployer({ builds, environments })
    expect(await reply?.(message('Which builds can be deployed?'))).toEqual([
      {
        text: 'Builds of payments-api: 2026.09.29-1, 2026.10.05-2, 2026.10.06-1. Environments: staging, production.',
      },
      {
        data: {
          builds: ['2026.09.29-1', '2026.10.05-2', '2026.10.06-1'],
          environments: ['staging', 'production'],
        },
        mediaType: 'application/json',
      },
    ])
    expect(await reply?.(message(staging))).toBeUndefined()
  })
})

describe('a canceled deploy', () => {
  async function canceled(deployed: boolean, unfinished?: string) {
    const { builds, environments, data } = await dataWithBuilds()
    const agent = deployer({ builds, environments })
    if (deployed) await environments.deploy(await orderFor(data, '2026.10.06-1', { taskId: 'task-1' }))
    const step = async (_name: string, work: () => unknown) => work()
    return await agent.canceled?.({ id: 'task-1', step, ...(unfinished && { unfinished }) } as CanceledTask)
  }

  it('says that nothing was deployed', async () => {
    expect(await canceled(false)).toBe('Nothing was deployed.')
  })

  it('says what had been deployed', async () => {
    expect(await canceled(true)).toMatch(
      /^The deploy was done already: build 2026.10.06-1 went to staging at 20.*Z\.$/,
    )
  })

  it('says that it may still finish', async () => {
    expect(await canceled(false, 'deploy')).toMatch('may still finish')
  })
})
