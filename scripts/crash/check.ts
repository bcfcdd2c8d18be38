// What must hold after a story, wherever an agent was killed: seen from outside over HTTP, and on the disk.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type AskedQuestion, dataOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { type AgentName, agentNames } from '../kit.ts'
import { patientClient, type StoryName, type Told } from './story.ts'

interface Plan {
  outcome: string
  agents: { name: string }[]
  steps: { step: string; agent: string; taskId: string; state: string; asked: AskedQuestion[] }[]
}

/** Notes a problem unless `holds`. */
export type Expect = (holds: boolean, problem: string) => void

/** Looks while the agents run. Gives the tasks that each has. */
export async function checkAgents(
  story: StoryName,
  told: Told,
  urls: Record<AgentName, string>,
  expect: Expect,
): Promise<Record<AgentName, Task[]>> {
  const { task, sent, eventIds, approved } = told
  const { state } = task.status
  expect(state === 'TASK_STATE_COMPLETED', `the planner's task ended in ${JSON.stringify(task.status)}`)
  const inOrder = eventIds.every((id, index) => id === index + 1)
  expect(inOrder, `the client saw the events ${eventIds}`)
  const wanted = story === 'asked-branch' ? 2 : 1
  expect(sent.length === wanted, `the client was asked for ${sent.length} messages, and not ${wanted}`)
  expect(approved.length === 1, `the client approved ${approved.length} times`)

  const plan = planOf(task)
  const ids: Record<AgentName, string | undefined> = {
    planner: task.id,
    'code-reviewer': plan?.steps[0]?.taskId,
    deployer: plan?.steps[1]?.taskId,
  }
  const served = { planner: [], 'code-reviewer': [], deployer: [] } as Record<AgentName, Task[]>
  for (const name of agentNames) {
    const client = await patientClient(urls[name])
    const { tasks, totalSize } = await client.listTasks()
    const states = tasks.map(({ id, status }) => `${id} in ${status.state}`).join(', ')
    expect(totalSize === 1 && tasks.length === 1, `${name} has ${totalSize} tasks and lists ${states}`)
    expect(tasks[0]?.id === ids[name], `${name} has ${states}, and the planner's plan names ${ids[name]}`)
    expect(tasks[0]?.status.state === 'TASK_STATE_COMPLETED', `${name} has ${states}`)
    served[name] = await Promise.all(tasks.map(({ id }) => client.getTask(id)))
  }
  const planner = await patientClient(urls.planner)
  for (const message of sent) {
    const again = await planner.sendMessage(message, { returnImmediately: true })
    expect(again.task?.id === task.id, `sending "${message.messageId}" again gave task ${again.task?.id}`)
  }
  checkPlan(story, plan, expect)
  return served
}

const planOf = ({ artifacts }: Task): Plan | undefined =>
  dataOf(artifacts?.find(({ name }) => name === 'plan.json')) as unknown as Plan | undefined

function checkPlan(story: StoryName, plan: Plan | undefined, expect: Expect): void {
  const shape = plan && {
    outcome: plan.outcome,
    agents: plan.agents.map(({ name }) => name),
    steps: plan.steps.map(({ step, agent, state, asked }) => ({
      step,
      agent,
      state,
      asked: asked.map(({ kind, answeredBy, answer }) => ({ kind, answeredBy, answer })),
    })),
  }
  const state = 'TASK_STATE_COMPLETED'
  const answeredBy = story === 'asked-branch' ? 'caller' : 'self'
  const wanted = {
    outcome: 'shipped',
    agents: ['code-reviewer', 'deployer'],
    steps: [
      {
        step: 'review',
        agent: 'code-reviewer',
        state,
        asked: [{ kind: 'question', answeredBy, answer: 'main' }],
      },
      {
        step: 'deploy',
        agent: 'deployer',
        state,
        asked: [{ kind: 'authorization', answeredBy: 'outside', answer: undefined }],
      },
    ],
  }
  expect(isDeepStrictEqual(shape, wanted), `plan.json says ${JSON.stringify(shape)}`)
}

/** Looks at the environment's folder after the agents were stopped. */
export async function checkDeploy(dataDir: string, expect: Expect): Promise<void> {
  const folder = join(dataDir, 'deployer/environments/staging')
  const journal = (await readFile(join(folder, 'journal.jsonl'), 'utf8').catch(() => '')).split('\n')
  expect(journal.length === 2 && journal[1] === '', `the journal holds ${JSON.stringify(journal)}`)
  const line = JSON.parse(journal[0] || '{}') as { build?: string; release?: string }
  const current = await readlink(join(folder, 'current')).catch(() => 'nothing')
  expect(line.build === '2026.10.06-1', `the journal names build ${line.build}`)
  expect(
    basename(current) === basename(line.release ?? ''),
    `current points to ${current}, not to ${line.release}`,
  )
  const names = (await readdir(folder).catch(() => [])).sort()
  const releases = await readdir(join(folder, 'releases')).catch(() => [])
  expect(isDeepStrictEqual(names, ['current', 'journal.jsonl', 'releases']), `the environment holds ${names}`)
  expect(releases.length === 1, `the environment has the releases ${releases}`)
}
