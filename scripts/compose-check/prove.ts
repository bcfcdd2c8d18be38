// The story that is tried: a change is shipped in containers that are restarted, killed, taken down and put up again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '@a2a-kit/client'
import { dataOf, type Message, type Task, textOf } from '@a2a-kit/task-core/protocol'
import { agentNames, root } from '../kit.ts'
import { checkCards } from './cards.ts'
import type { Compose } from './compose.ts'
import type { Progress } from './progress.ts'

const build = '2026.10.06-1'

/** @throws Error at the first thing that does not hold */
export async function prove(project: Compose, progress: Progress): Promise<void> {
  const { compose, container, healthy, url } = project
  const allHealthy = () => Promise.all(agentNames.map((name) => healthy(name)))

  progress.doing('docker compose up --build')
  project.build()
  progress.held('the image is built')
  compose('up', '--detach')
  await allHealthy()
  const megabytes = Math.round(project.imageSize('planner') / 1e6)
  progress.held(`all three agents are healthy; the image has ${megabytes} MB`)

  progress.doing('addresses')
  for (const name of agentNames) {
    const bindings = Object.values(container(name).HostConfig.PortBindings).flat()
    assert.deepEqual(bindings, [{ HostIp: '127.0.0.1', HostPort: String(project.ports[name]) }])
  }
  progress.held('they are published on 127.0.0.1 only')
  for (const where of ['host', ...agentNames] as const) checkCards(project, where)
  progress.held('every address in every card is right on the host and in each container')

  progress.doing('the planner is asked to ship a change, without the base branch')
  const planner = await connect(url('planner'))
  const diff = await readFile(join(root, 'fixtures/payments-api/changes/idempotency-keys.diff'), 'utf8')
  const change = { repository: 'payments-api', diff, build, environment: 'staging' }
  const asked = await send({ parts: [{ data: change }] }, 'TASK_STATE_INPUT_REQUIRED')
  progress.held(`it passes the reviewer's question up: ${textOf(asked.status.message)}`)
  const { id, contextId } = asked
  const waiting = await send({ taskId: id, contextId, parts: [{ text: 'main' }] }, 'TASK_STATE_AUTH_REQUIRED')
  const link = /http\S+\/approve\/[\w-]+/.exec(textOf(waiting.status.message))?.[0]
  assert.ok(link)
  assert.equal(new URL(link).origin, url('deployer'))
  await stillWaits()
  progress.held(`the deploy waits, and the link opens on the host: ${link}`)

  progress.doing('the deployer is restarted while its deploy waits')
  compose('restart', 'deployer')
  await healthy('deployer')
  await stillWaits()
  progress.held('docker compose restart: the same task waits under the same link')
  compose('kill', '-s', 'SIGKILL', 'deployer')
  assert.equal(container('deployer').State.Status, 'exited')
  compose('start', 'deployer')
  await healthy('deployer')
  await stillWaits()
  progress.held('docker compose kill -s SIGKILL, and start: the same again')

  progress.doing("the planner's process dies")
  const { StartedAt } = container('planner').State
  compose('exec', '-T', 'planner', 'sh', '-c', 'kill -9 -1') // all but the container's init, which ends then
  await healthy('planner', StartedAt)
  progress.held('its container is back by itself')

  progress.doing('the deploy is approved')
  const approved = await fetch(link, { method: 'POST' })
  assert.equal(approved.status, 200, await approved.text())
  let shipped: Task | undefined
  for await (const { task } of planner.watch(id)) shipped = task
  checkShipped(shipped)
  for (const peer of ['code-reviewer', 'deployer'] as const) {
    const { tasks } = await (await connect(url(peer))).listTasks()
    assert.deepEqual(
      tasks.map(({ status }) => status.state),
      ['TASK_STATE_COMPLETED'],
      `tasks of ${peer}`,
    )
  }
  progress.held('the planner completed; plan.json is right; one review and one deploy were made')

  progress.doing('docker compose stop, down and up')
  const before = performance.now()
  compose('stop')
  const seconds = ((performance.now() - before) / 1000).toFixed(1)
  for (const name of agentNames) assert.equal(container(name).State.ExitCode, 0, `exit code of ${name}`)
  progress.held(`all three stopped cleanly, in ${seconds} s`)
  compose('down')
  compose('up', '--detach')
  await allHealthy()
  checkShipped(await planner.getTask(id))
  progress.held('in new containers the tasks are still there')

  async function send(message: Pick<Message, 'parts'> & Partial<Message>, state: string): Promise<Task> {
    const { task } = await planner.sendMessage({ messageId: randomUUID(), role: 'ROLE_USER', ...message })
    assert.equal(task?.status.state, state, textOf(task?.status.message))
    return task
  }

  async function stillWaits(): Promise<void> {
    const response = await fetch(link!, { headers: { Accept: 'application/json' } })
    const { waiting, operation } = (await response.json()) as {
      waiting?: boolean
      operation?: Record<string, string>
    }
    assert.deepEqual({ waiting, build: operation?.build }, { waiting: true, build })
  }
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
