// The story that is tried: a change is shipped in containers that are restarted, killed, taken down and put up again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentClient, connect } from '@a2a-kit/client'
import { dataOf, type Message, type Task, textOf } from '@a2a-kit/task-core/protocol'
import { agentNames, root } from '../kit.ts'
import { checkCards } from './cards.ts'
import type { Compose } from './compose.ts'
import type { Progress } from './progress.ts'
import { playTutorials } from './tutorials.ts'

const build = '2026.10.06-1'

/** What is tried, and where it is told. */
interface Trial {
  project: Compose
  progress: Progress
}

/** The planner's task, and the link under which its deploy is approved. */
interface Waiting {
  planner: AgentClient
  id: string
  link: string
}

/** @throws Error at the first thing that does not hold */
export async function prove(project: Compose, progress: Progress): Promise<void> {
  const trial = { project, progress }
  await buildAndStart(trial)
  checkAddresses(trial)
  const waiting = await shipUntilItWaits(trial)
  await restartAndKill(trial, waiting)
  await approve(trial, waiting)
  await stopDownAndUp(trial, waiting)
  progress.doing('the tutorials are played')
  progress.held(`${await playTutorials(project)} tutorials go as they were recorded`)
}

async function buildAndStart({ project, progress }: Trial): Promise<void> {
  progress.doing('docker compose up --build')
  project.build()
  progress.held('the image is built')
  project.compose('up', '--detach')
  await Promise.all(agentNames.map((name) => project.healthy(name)))
  const megabytes = Math.round(project.imageSize('planner') / 1e6)
  progress.held(`all three agents are healthy; the image has ${megabytes} MB`)
}

function checkAddresses({ project, progress }: Trial): void {
  progress.doing('addresses')
  for (const name of agentNames) {
    const bindings = Object.values(project.container(name).HostConfig.PortBindings).flat()
    const published = bindings.map(({ HostIp, HostPort }) => `${HostIp}:${HostPort}`).sort()
    const port = project.ports[name]
    assert.deepEqual(published, [`127.0.0.1:${port}`, `127.0.0.1:${port + 1000}`])
  }
  progress.held('they are published on 127.0.0.1 only')
  for (const where of ['host', ...agentNames] as const) checkCards(project, where)
  progress.held('every address in every card is right on the host and in each container')
}

async function shipUntilItWaits({ project, progress }: Trial): Promise<Waiting> {
  progress.doing('the planner is asked to ship a change, without the base branch')
  const planner = await connect(project.url('planner'))
  const send = async (message: Pick<Message, 'parts'> & Partial<Message>, state: string) => {
    const { task } = await planner.sendMessage({ messageId: randomUUID(), role: 'ROLE_USER', ...message })
    const said = textOf(task?.status.message)
    assert.equal(task?.status.state, state, said)
    return { said, id: task.id, contextId: task.contextId }
  }
  const diff = await readFile(join(root, 'fixtures/payments-api/changes/idempotency-keys.diff'), 'utf8')
  const change = { repository: 'payments-api', diff, build, environment: 'staging' }
  const question = await send({ parts: [{ data: change }] }, 'TASK_STATE_INPUT_REQUIRED')
  progress.held(`it passes the reviewer's question up: ${question.said}`)

  const { id, contextId } = question
  const answer = { taskId: id, contextId, parts: [{ text: 'main' }] }
  const { said } = await send(answer, 'TASK_STATE_AUTH_REQUIRED')
  const link = /http\S+\/approve\/[\w-]+/.exec(said)?.[0]
  assert.ok(link, said)
  assert.equal(new URL(link).origin, project.url('deployer'))
  await checkStillWaits(link)
  progress.held(`the deploy waits, and the link opens on the host: ${link}`)
  return { planner, id, link }
}

async function restartAndKill({ project, progress }: Trial, { link }: Waiting): Promise<void> {
  const { compose, container, healthy } = project
  progress.doing('the deployer is restarted while its deploy waits')
  compose('restart', 'deployer')
  await healthy('deployer')
  await checkStillWaits(link)
  progress.held('docker compose restart: the same task waits under the same link')

  compose('kill', '-s', 'SIGKILL', 'deployer')
  assert.equal(container('deployer').State.Status, 'exited')
  compose('start', 'deployer')
  await healthy('deployer')
  await checkStillWaits(link)
  progress.held('docker compose kill -s SIGKILL, and start: the same again')

  progress.doing("the planner's process dies")
  const { StartedAt } = container('planner').State
  compose('exec', '-T', 'planner', 'sh', '-c', 'kill -9 -1') // all but the container's init, which ends then
  await healthy('planner', StartedAt)
  progress.held('its container is back by itself')
}

async function approve({ project, progress }: Trial, { planner, id, link }: Waiting): Promise<void> {
  progress.doing('the deploy is approved')
  const approved = await fetch(link, { method: 'POST' })
  assert.equal(approved.status, 200, await approved.text())
  let shipped: Task | undefined
  for await (const { task } of planner.watch(id)) shipped = task
  checkShipped(shipped)
  for (const peer of ['code-reviewer', 'deployer'] as const) {
    const { tasks } = await (await connect(project.url(peer))).listTasks()
    const states = tasks.map(({ status }) => status.state)
    assert.deepEqual(states, ['TASK_STATE_COMPLETED'], `the tasks of ${peer}`)
  }
  progress.held('the planner completed; plan.json is right; one review and one deploy were made')
  const audit = project.compose('exec', '-T', 'deployer', 'npm', 'run', '--silent', 'audit')
  const actions = [...audit.matchAll(/ {2}deployer {2}(\w+) {2}/g)].map(([, action]) => action)
  assert.deepEqual(actions, ['asked', 'approved', 'used'], audit)
  progress.held('the audit log of the deployer says who approved what, and which step used it')
}

async function stopDownAndUp({ project, progress }: Trial, { planner, id }: Waiting): Promise<void> {
  const { compose, container, healthy } = project
  progress.doing('docker compose stop, down and up')
  const begun = performance.now()
  compose('stop')
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  for (const name of agentNames) assert.equal(container(name).State.ExitCode, 0, `the exit code of ${name}`)
  progress.held(`all three stopped cleanly, in ${seconds} s`)
  compose('down')
  compose('up', '--detach')
  await Promise.all(agentNames.map((name) => healthy(name)))
  checkShipped(await planner.getTask(id))
  progress.held('in new containers the tasks are still there')
}

async function checkStillWaits(link: string): Promise<void> {
  const response = await fetch(link, { headers: { Accept: 'application/json' } })
  const asked = (await response.json()) as { waiting?: boolean; operation?: Record<string, string> }
  assert.deepEqual([asked.waiting, asked.operation?.build], [true, build], JSON.stringify(asked))
}

function checkShipped(task: Task | undefined): void {
  assert.equal(task?.status.state, 'TASK_STATE_COMPLETED', textOf(task?.status.message))
  const plan = dataOf(task.artifacts?.find(({ name }) => name === 'plan.json')) as {
    outcome: string
    steps: {
      state: string
      artifacts: Record<string, { verdict?: string; build?: string; environment?: string }>
    }[]
  }
  const [review, deploy] = plan.steps
  assert.equal(plan.outcome, 'shipped')
  assert.equal(review?.artifacts['review.json']?.verdict, 'approve')
  const { build: deployed, environment } = deploy?.artifacts['deployment.json'] ?? {}
  assert.deepEqual({ deployed, environment }, { deployed: build, environment: 'staging' })
}
