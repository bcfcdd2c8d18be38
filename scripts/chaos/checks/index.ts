// What must hold after each round: everything that was acknowledged is there, has its end, and was done and told once.
import { setTimeout as pause } from 'node:timers/promises'
import { isTerminal, type Task } from '@a2a-kit/task-core/protocol'
import type { Expect } from '../../crash/check.ts'
import { type Name, names } from '../agents.ts'
import { insist } from '../callers.ts'
import type { RoundPlan } from '../round.ts'
import type { Scene, Told } from '../scene.ts'
import type { World } from '../world.ts'
import { checkAudit } from './audit.ts'
import { isSound, type Logged, readTasks } from './database.ts'
import { checkDeliveries, hasAll } from './deliveries.ts'
import { checkEffects, checkJournal } from './deploys.ts'
import { checkLogged, statesOf } from './logs.ts'
import { checkStreams } from './streams.ts'

interface Played {
  plan: RoundPlan
  /** What the stories could not go on for. */
  failures: Map<Told, Error>
  /** How often each agent had been started when the round began. */
  starts: Map<Name, number>
}

/** @returns what does not hold */
export async function checkRound(world: World, scene: Scene, played: Played): Promise<string[]> {
  const problems: string[] = []
  const expect: Expect = (holds, problem) => void (holds || problems.push(problem))
  const mayFail = (told: Told) => played.plan.faults.some(({ plan }) => plan.excuses?.(told) === true)
  if (scene.told.some((told) => told.agent === 'planner' && mayFail(told))) await endOrphans(world, scene)
  const logged = {} as Record<Name, Logged[]>
  for (const name of names) {
    const says: Expect = (holds, problem) => expect(holds, `${name}, ${problem}`)
    logged[name] = await checkAgent(name, world, scene, says)
  }
  for (const told of scene.told) {
    const task = logged[told.agent].find(({ id }) => id === told.taskId)
    const failure = played.failures.get(told)
    const failed = told.task?.status.state === 'TASK_STATE_FAILED'
    if (failure && !(mayFail(told) && failed)) problems.push(`${told.story}: ${failure.message}`)
    if (!task || !told.task) {
      expect(false, `${told.story}: its task "${told.taskId}" is not there`)
      continue
    }
    checkTold(told, told.task, task, mayFail(told), expect)
    if (!failure) checkStreams(told, task, expect)
    const agent = scene.agents[told.agent]
    checkEffects(told, task, agent, agent.starts() - played.starts.get(told.agent)!, expect)
    await untilTrue(() => hasAll(told, task, scene.webhook), scene.signal)
    checkDeliveries(told, task, scene.webhook, expect)
  }
  for (const stranger of scene.webhook.strangers()) expect(false, `the webhook of a stranger got ${stranger}`)
  checkAsked(scene, logged, expect)
  world.lines = checkJournal(scene.agents.deployer, logged.deployer, world.lines, expect)
  await checkLateApprovals(scene, logged.deployer, expect)
  return problems
}

/** Looks at the agent's tasks of the round, and notes for the stories what became of theirs. @returns their logs */
async function checkAgent(name: Name, world: World, scene: Scene, expect: Expect): Promise<Logged[]> {
  const agent = scene.agents[name]
  const tasks = await untilEnded(() => readTasks(agent.file, world.lastTasks[name]), scene.signal)
  const client = await scene.callers.client(agent, 'JSONRPC')
  for (const task of tasks) {
    const served = await insist(scene.signal, () => client.getTask(task.id)).catch(() => undefined)
    checkLogged(task, served, expect)
    checkAudit(task, expect)
    for (const told of scene.told) if (told.taskId === task.id && served) told.task = served
  }
  expect(isSound(agent.file), 'its database is not sound')
  world.lastTasks[name] = tasks.at(-1)?.task ?? world.lastTasks[name]
  return tasks
}

/** What has ended takes no approval. */
async function checkLateApprovals(
  { agents, callers }: Scene,
  tasks: Logged[],
  expect: Expect,
): Promise<void> {
  for (const { id } of tasks) {
    const { status, text } = await callers.post(`${agents.deployer.url}/approve/${id}`)
    expect(status >= 400 && status < 500, `a late approval of ${id} was answered with ${status}: ${text}`)
  }
}

/** Compares what the client was told with what became of the task. */
function checkTold(told: Told, task: Task, logged: Logged, excused: boolean, expect: Expect): void {
  const { story, ends, states, messageIds, approve, revoke } = told
  const { state } = task.status
  const may = excused ? [...ends, 'TASK_STATE_FAILED'] : ends
  expect(may.includes(state), `${story}: it ended in ${JSON.stringify(task.status)}`)
  const history = task.history?.map(({ messageId }) => messageId) ?? []
  for (const id of messageIds)
    expect(history.includes(id), `${story}: message ${id} was acknowledged, and is gone`)
  for (const one of states)
    expect(statesOf(logged).includes(one), `${story}: ${one} was acknowledged, and never was`)
  expect(approve <= 1, `${story}: ${approve} approvals were granted for one deploy`)
  expect(revoke === 0 || state !== 'TASK_STATE_COMPLETED', `${story}: it was revoked, and done all the same`)
}

/** The peers have the tasks that the planner's plans name, and none twice. */
function checkAsked({ told }: Scene, logged: Record<Name, Logged[]>, expect: Expect): void {
  const ships = told.filter(({ agent }) => agent === 'planner').length
  for (const name of names) {
    const own = told.filter(({ agent }) => agent === name)
    const others = logged[name].filter(({ id }) => !own.some(({ taskId }) => taskId === id))
    const most = name === 'code-reviewer' || name === 'deployer' ? ships : 0
    const ids = others.map(({ id }) => id).join(', ')
    expect(others.length <= most, `${name} has ${others.length} tasks that no story began: ${ids}`)
  }
}

/** A plan that failed may leave tasks that wait at its peers: what is nobody's is canceled. */
async function endOrphans({ lastTasks }: World, { agents, callers, told, signal }: Scene): Promise<void> {
  for (const name of ['code-reviewer', 'deployer'] as const) {
    const waiting = readTasks(agents[name].file, lastTasks[name]).filter(
      (task) => !isTerminal(statesOf(task).at(-1)!) && !told.some(({ taskId }) => taskId === task.id),
    )
    const client = await callers.client(agents[name], 'JSONRPC')
    for (const { id } of waiting) await client.cancelTask(id, { signal }).catch(() => {})
  }
}

/** A task of another agent may end a moment after the one that followed it. */
async function untilEnded(read: () => Logged[], signal: AbortSignal): Promise<Logged[]> {
  let tasks: Logged[] = []
  await untilTrue(() => {
    tasks = read()
    return tasks.every((task) => isTerminal(statesOf(task).at(-1)!))
  }, signal)
  return tasks
}

/** Looks until it is true, or for five seconds: whoever needs it to be true looks again. */
async function untilTrue(look: () => boolean, signal: AbortSignal): Promise<void> {
  for (const deadline = Date.now() + 5000; !look() && Date.now() < deadline; ) {
    await pause(25, undefined, { signal })
  }
}
