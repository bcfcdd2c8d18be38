// The planner calls its peers as itself: what it has them do belongs to it, and its caller's token goes no further than the planner.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePlanner } from '@a2a-kit/planner/make'
import type { Task } from '@a2a-kit/task-core/protocol'
import { Agent, type Dispatcher } from 'undici'
import { describe, expect, test } from 'vitest'
import { audience, issuer, mint } from './support/issuer.ts'
import { operate } from './support/operator.ts'
import { type Probe, startProbe, temporaryFolder, userMessage } from './support/probe.ts'
import { goodDiff, startDeployer, startReviewer } from './support/sdk-agents.ts'
import { until } from './support/wait.ts'

const secret = new TextEncoder().encode('a-secret-of-thirty-two-bytes-or-more')
const releaseTeam = 'a-token-of-the-release-team'
const asTeam = { Authorization: `Bearer ${releaseTeam}` }
const callers = {
  callerTokens: { 'release-team': releaseTeam },
  callerJwts: { issuer, audience, secret },
}
const tokenOfPlanner = (jti: string) =>
  mint(secret, { header: { alg: 'HS256' }, claims: { sub: 'planner', jti } })

/** Connections that note where each request went, and with what. */
function noting(seen: { path: string; authorization: string | undefined }[]): Dispatcher {
  return new Agent({ headersTimeout: 0, bodyTimeout: 0 }).compose((dispatch) => (options, handler) => {
    const { Authorization: authorization } = options.headers as Record<string, string>
    seen.push({ path: options.path, authorization })
    return dispatch(options, handler)
  })
}

async function tasksOf(probe: Probe, headers: Record<string, string>): Promise<Task[]> {
  return (await probe.call('JSONRPC', 'ListTasks', {}, headers)).result.tasks
}

test('what it has its peers do is the planner’s own, and a token that is exchanged is taken up', async () => {
  const [{ probe: reviewer }, deployer] = await Promise.all([
    startReviewer('JSONRPC', callers),
    startDeployer('JSONRPC', callers),
  ])
  const [first, second] = [await tokenOfPlanner('1'), await tokenOfPlanner('2')]
  const file = join(await temporaryFolder(), 'token')
  await writeFile(file, `${first}\n`)
  const seen: Parameters<typeof noting>[0] = []
  const env = { CODE_REVIEWER_URL: reviewer.url, DEPLOYER_URL: deployer.url, PEER_TOKEN_FILE: file }
  const probe = await startProbe({ agent: makePlanner(env, { dispatcher: noting(seen) }), ...callers })

  const change = {
    repository: 'payments-api',
    diff: await goodDiff(),
    build: '2026.10.06-1',
    environment: 'staging',
  }
  const message = userMessage('', { parts: [{ data: change }] })
  const asked = (await probe.call('JSONRPC', 'SendMessage', { message }, asTeam)).result.task as Task
  expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  await writeFile(file, `${second}\n`)
  const before = seen.length
  const answer = { message: userMessage('main', { taskId: asked.id }) }
  const waiting = (await probe.call('JSONRPC', 'SendMessage', answer, asTeam)).result.task as Task
  expect(waiting.status.state).toBe('TASK_STATE_AUTH_REQUIRED')

  const asPlanner = { Authorization: `Bearer ${second}` }
  for (const peer of [reviewer, deployer]) {
    const [task, ...others] = await tasksOf(peer, asPlanner)
    expect(others).toEqual([])
    expect(await tasksOf(peer, asTeam)).toEqual([])
    const { error } = await peer.call('JSONRPC', 'GetTask', { id: task!.id }, asTeam)
    expect(error!.reason).toBe('TASK_NOT_FOUND')
  }
  const [deploy] = await tasksOf(deployer, asPlanner)
  expect((await operate(deployer, 'approve', deploy!.id)).status).toBe(200)
  await until('the end of the change', async () => {
    const { result } = await probe.call('JSONRPC', 'GetTask', { id: asked.id }, asTeam)
    return result.status.state === 'TASK_STATE_COMPLETED'
  })

  const isCard = ({ path }: { path: string }) => path.endsWith('agent-card.json')
  const sent = (requests: typeof seen) => [
    ...new Set(requests.filter((one) => !isCard(one)).map(({ authorization }) => authorization)),
  ]
  expect(sent(seen.slice(0, before))).toEqual([`Bearer ${first}`])
  expect(sent(seen.slice(before))).toEqual([`Bearer ${second}`])
  expect(seen.filter(isCard).map(({ authorization }) => authorization)).toEqual([undefined, undefined])
})

describe('PEER_TOKEN_FILE', () => {
  const make = (text: string) => async () => {
    const file = join(await temporaryFolder(), 'token')
    await writeFile(file, text)
    return makePlanner({ PEER_TOKEN_FILE: file })
  }

  test('that is missing, empty, no token, or beside PEER_TOKEN is refused, and shows no token', async () => {
    expect(() => makePlanner({ PEER_TOKEN_FILE: '/none/token' })).toThrow('PEER_TOKEN_FILE cannot be read')
    expect(() => makePlanner({ PEER_TOKEN_FILE: '/none/token', PEER_TOKEN: 'a' })).toThrow(
      'exclude each other',
    )
    for (const text of ['', ' \n', 'two words', 'first\nsecond']) {
      await expect(make(text)()).rejects.toThrow('PEER_TOKEN_FILE has no token: it holds one line')
    }
    await expect(make('a-token-of-planner\n')()).resolves.toBeDefined()
  })
})
