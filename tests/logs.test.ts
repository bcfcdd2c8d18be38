// What the agents log: each line of work with its task, context and trace, and never a secret.
import { type AgentOptions, realWorld } from '@a2a-kit/task-core'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { startChain } from './support/chain.ts'
import { fullDisk } from './support/disk.ts'
import { type LogLine, readableLog } from './support/log.ts'
import { ended, operate } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { begin } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'
import { local, startWebhook } from './support/webhook.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`
const jwtSecret = new TextEncoder().encode('jwt-secret-0123456789abcdef01234567')
const jwtOf = (sub: string) =>
  new SignJWT({ sub })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('me')
    .setAudience('planner')
    .setExpirationTime('1h')
const jwt = await jwtOf('alice').sign(jwtSecret)
const forgedJwt = await jwtOf('mallory').sign(new TextEncoder().encode('another-secret-0123456789abcdef01'))

/** What is secret in the stories below, each once. */
const secrets = {
  client: 'client-token-0123456789abcdef',
  planner: 'planner-token-0123456789abcdef',
  metrics: 'metrics-token-0123456789abcdef',
  hook: 'hook-token-0123456789abcdef',
  credentials: 'hook-credentials-0123456789abcdef',
  query: 'hook-query-0123456789abcdef',
  broken: 'broken-token-0123456789abcdef',
  operator: 'operator-token-0123456789abcdef',
  jwt,
  forgedJwt,
  jwtSecret: 'jwt-secret-0123456789abcdef01234567',
}

const hasNoSecrets = (lines: LogLine[]) => {
  const all = lines.map((line) => JSON.stringify(line))
  for (const [name, secret] of Object.entries(secrets)) {
    expect(
      all.filter((line) => line.includes(secret)),
      `lines with the secret of ${name}`,
    ).toEqual([])
  }
}

test('a change that goes through three agents is one trace in their logs, line by line, without a secret at level trace', async () => {
  const { log, lines } = readableLog('trace')
  const options = (name: string): Partial<AgentOptions> => ({
    log: log.child({ agent: name }),
    metricsToken: secrets.metrics,
    settings: { ...local, pushAttempts: 2 },
    callerTokens: name === 'planner' ? { client: secrets.client } : { planner: secrets.planner },
    ...(name === 'planner' && { callerJwts: { issuer: 'me', audience: 'planner', secret: jwtSecret } }),
    operators: { tokens: { olga: secrets.operator } },
  })
  const chain = await startChain(options, secrets.planner)
  const webhook = await startWebhook()
  webhook.answers([], 500)
  const own = { authorization: `Bearer ${secrets.client}`, traceparent }
  const id = await chain.ship(own)
  const config = {
    taskId: id,
    url: `${webhook.url}&key=${secrets.query}`,
    token: secrets.hook,
    authentication: { scheme: 'Bearer', credentials: secrets.credentials },
  }
  const { call, url } = chain.planner
  await call('JSONRPC', 'CreateTaskPushNotificationConfig', config, own)
  const injected = { ...config, token: `${secrets.broken}\r\nX-Evil: 1` }
  expect((await call('JSONRPC', 'CreateTaskPushNotificationConfig', injected, own)).error).toBeDefined()
  for (const binding of bindings) {
    const { error } = await call(
      binding,
      'GetTask',
      { id },
      { authorization: `Bearer ${forgedJwt}`, traceparent },
    )
    expect(error?.reason).toBe('UNAUTHENTICATED')
  }
  await fetch(`${url}/metrics?token=${secrets.broken}`, {
    headers: { authorization: `Bearer ${secrets.broken}` },
  })
  await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${secrets.metrics}` } })

  const ofAlice = { authorization: `Bearer ${jwt}` }
  expect((await call('JSONRPC', 'GetTask', { id }, ofAlice)).error?.reason).toBe('TASK_NOT_FOUND')

  const theirs = { authorization: `Bearer ${secrets.planner}` }
  const deploying = await until('the task at the deployer', async () => {
    const { result } = await chain.deployer.call('JSONRPC', 'ListTasks', {}, theirs)
    return result.tasks.find((task: { status: { state: string } }) => /AUTH/.test(task.status.state))
  })
  const olga = Buffer.from(`olga:${secrets.broken}\r\nX-Evil: 1`).toString('base64')
  const page = await fetch(`${chain.deployer.url}/approve`, { headers: { authorization: `Basic ${olga}` } })
  expect(page.status).toBe(401)
  expect((await operate(chain.deployer, 'approve', deploying.id, undefined, secrets.broken)).status).toBe(401)
  expect((await operate(chain.deployer, 'approve', deploying.id, undefined, secrets.operator)).status).toBe(
    200,
  )
  await until('the end', async () => {
    const { result } = await call('JSONRPC', 'GetTask', { id }, own)
    return result.status.state === 'TASK_STATE_COMPLETED'
  })
  await until('the end of the receiver', () => lines.some(({ msg }) => msg.includes('is given up')))

  hasNoSecrets(lines)
  const ofTasks = lines.filter(({ taskId }) => taskId !== undefined)
  expect(new Set(ofTasks.map(({ agent }) => agent))).toEqual(
    new Set(['planner', 'code-reviewer', 'deployer']),
  )
  for (const line of ofTasks)
    expect(line, line.msg).toMatchObject({ contextId: expect.any(String), traceId: trace })
  expect(ofTasks.some(({ msg }) => msg === 'An operator decided.')).toBe(true)
  const refusals = lines.filter(({ reason }) => reason === 'UnauthenticatedError')
  expect(refusals.map(({ binding, traceId }) => [binding, traceId === trace])).toEqual([
    ...bindings.map((binding) => [binding, true]),
    ['none', false],
  ])
  expect(lines.filter(({ reason }) => reason === 'operator 401')).toHaveLength(2)
})

test('what fails has the ids of its work, and a secret in the text of an error is not shown', async () => {
  const { log, lines, failures } = readableLog('trace')
  const disk = fullDisk()
  const agent = testAgent(async (task) => {
    await task.step('call out', () => {
      const headers = { authorization: `Bearer ${secrets.broken}` }
      throw Object.assign(
        new Error(`401 for Bearer ${secrets.client} and ${jwt} at http://me:${secrets.hook}@x/`),
        { headers },
      )
    })
  })
  const probe = await startProbe({ agent, log, world: disk })
  const id = await begin(probe)
  const { contextId } = await ended(probe, id)
  disk.full = true
  await probe.call('HTTP+JSON', 'SendMessage', { message: userMessage('hi') }, { traceparent })
  disk.full = false
  hasNoSecrets(lines)
  const [step, run, request] = lines.filter(({ level }) => level >= 40)
  for (const line of [step, run]) {
    expect(line).toMatchObject({ taskId: id, contextId, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  }
  expect(step!.traceId).toBe(run!.traceId)
  expect(request).toMatchObject({ msg: 'The agent could not store this. Try again.', traceId: trace })
  expect(failures()).toHaveLength(2)
})

test('what an agent’s cancel fails with has the ids of the task that is canceled', async () => {
  const { log, failures } = readableLog()
  const canceled = () => Promise.reject(new Error('no'))
  const probe = await startProbe({
    agent: testAgent((task) => task.ask('?').then(() => {}), { canceled }),
    log,
  })
  const id = await begin(probe)
  const { contextId } = await untilState(probe, id, 'INPUT_REQUIRED')
  await probe.call('JSONRPC', 'CancelTask', { id }, { traceparent })
  expect(failures()).toMatchObject([
    {
      taskId: id,
      contextId,
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      msg: "The agent's canceled() failed.",
    },
  ])
})

test('what fails for no task in particular has the ids of none', async () => {
  const { log, lines } = readableLog()
  let statuses = 0
  const world = {
    ...realWorld,
    now: () => Date.now() + statuses * 3_600_000, // the question has expired once it is asked
    statusTime() {
      statuses += 1
      if (statuses === 3) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      return Date.now()
    },
  }
  const agent = testAgent((task) => task.ask('?').then(() => {}))
  const probe = await startProbe({ agent, log, world, settings: { inputTtl: 1 } })
  await begin(probe)
  const line = await until('that the wait could not be ended', () => lines.find(({ level }) => level >= 50))
  expect(line).toMatchObject({ msg: 'Waits that have expired could not be ended; trying again.' })
  expect(line).not.toHaveProperty('taskId')
  expect(line).not.toHaveProperty('traceId')
})

test('work that follows from one commit keeps to its own task', async () => {
  const { log, lines } = readableLog()
  const agent = testAgent(async (task) => {
    log.info({ who: task.id }, 'from within')
    await task.step('wait', async () => log.info({ who: task.id }, 'from a step'))
  })
  const probe = await startProbe({ agent, log })
  const ids = await Promise.all(Array.from({ length: 8 }, () => begin(probe)))
  for (const id of ids) await untilState(probe, id, 'COMPLETED')
  const own = lines.filter(({ who }) => who !== undefined)
  expect(own).toHaveLength(16)
  for (const { who, taskId } of own) expect(taskId).toBe(who)
  const traces = new Map(own.map(({ who, traceId }) => [who, traceId]))
  expect(new Set(traces.values()).size).toBe(8)
  for (const line of lines.filter(({ taskId }) => taskId)) expect(line.traceId).toBe(traces.get(line.taskId))
})
