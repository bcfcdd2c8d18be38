// The story: a change is shipped through the planner, and whoever it waits for is seen to.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@a2a-kit/client'
import { isTerminal, type Message, type Task } from '@a2a-kit/task-core/protocol'
import { root } from '../kit.ts'
import type { DemoAgents } from './agents.ts'
import { seeToApproval } from './approval.ts'
import { typed } from './keys.ts'
import type { Options } from './options.ts'
import { tellPeer } from './peers.ts'
import type { Screen } from './screen.ts'
import { tellTask } from './tell.ts'

/** How long the peers' ends are waited for after the planner's, in ms. */
const patience = 10_000

const user = (parts: Message['parts'], place: Partial<Message> = {}): Message => ({
  messageId: randomUUID(),
  ...place,
  role: 'ROLE_USER',
  parts,
})

/** Resolves with the planner's task as the story left it; undefined if the person left before its end. */
export async function ship(agents: DemoAgents, options: Options, screen: Screen): Promise<Task | undefined> {
  const over = new AbortController()
  const { signal } = over
  const { PEER_TOKEN: token } = process.env
  const connectTo = (url: string) => connect(url, token ? { token } : {})
  const planner = await connectTo(agents.urls.planner)
  const peers = [await connectTo(agents.urls['code-reviewer']), await connectTo(agents.urls.deployer)]
  const diff = await readFile(join(root, `fixtures/payments-api/changes/${options.change}.diff`), 'utf8')
  const { build, environment, baseBranch } = options
  const change = { repository: 'payments-api', diff, build, environment, baseBranch }

  screen.begin()
  screen.waiting('the agents work')
  const { task } = await planner.sendMessage(user([{ data: change }]), { returnImmediately: true })
  let shipping: Task = task!
  let deploying: Task | undefined
  let left = false
  let failure: { reason: unknown } | undefined

  function fail(reason: unknown): void {
    if (signal.aborted) return
    failure = { reason }
    over.abort()
  }

  const question = onceForEach(async (_id, gone) => {
    screen.waiting()
    const text = await screen.asking(async () => {
      screen.heading("The planner does not know the answer, and passes the reviewer's question on to you.")
      return options.asks ? await typed('\n  Your answer [main]: ', 'main', gone) : 'main'
    })
    screen.say()
    const { id: taskId, contextId } = shipping
    await planner.sendMessage(user([{ text }], { taskId, contextId }), { returnImmediately: true })
    screen.waiting('the agents work')
  }, fail)

  const approval = onceForEach(async (_id, gone) => {
    screen.waiting()
    const request = { url: agents.urls.deployer, task: deploying!, decide: options.decide, decided: gone }
    const isDecided = await screen.asking(async () => {
      if (options.kill) await killAndStart(agents, screen)
      return seeToApproval(screen, request)
    })
    if (isDecided) return screen.waiting('the agents work')
    left = true
    over.abort()
  }, fail)

  /** The approval is seen to once the request has come up to the caller, and what is asked is known. */
  function onChange(): void {
    question(waitOf(shipping, 'TASK_STATE_INPUT_REQUIRED'))
    approval(waitOf(shipping, 'TASK_STATE_AUTH_REQUIRED') && waitOf(deploying, 'TASK_STATE_AUTH_REQUIRED'))
  }

  const told = new Map<string, Task>()
  for (const client of peers) {
    const onTask = (peersTask: Task) => {
      told.set(client.name, peersTask)
      if (client.name === 'deployer') deploying = peersTask
      onChange()
    }
    tellPeer(screen, client, { plannerTaskId: shipping.id, signal, onTask }).catch(fail)
  }
  const onTask = (now: Task) => {
    shipping = now
    onChange()
  }
  await tellTask(screen, { client: planner, taskId: shipping.id, caller: 'you', signal, onTask }).catch(fail)
  // The planner may hear of a peer's end before this does, which was cut off from a peer that was killed.
  const untold = () => [...told.values()].some(({ status }) => !isTerminal(status.state))
  for (const late = Date.now() + patience; untold() && !signal.aborted && Date.now() < late; ) await pause(50)
  over.abort()
  screen.waiting()
  if (failure) throw failure.reason
  if (left)
    screen.say(
      `\nThe task goes on waiting, and the agents stop. After npm start, POST ${agents.urls.deployer}/approve/${deploying?.id} approves it.`,
    )
  return isTerminal(shipping.status.state) ? shipping : undefined
}

/** What tells this wait of the task in `state` from any other; undefined if it is not in that state. */
const waitOf = (task: Task | undefined, state: string): string | undefined =>
  task?.status.state === state ? task.status.message?.messageId : undefined

/** Calls `see` once for each id that comes; the signal aborts when another id or none comes. */
function onceForEach(see: (id: string, gone: AbortSignal) => Promise<void>, fail: (reason: unknown) => void) {
  let current: { id: string; gone: AbortController } | undefined
  return (id: string | undefined): void => {
    if (id === current?.id) return
    current?.gone.abort()
    current = id === undefined ? undefined : { id, gone: new AbortController() }
    if (!current) return
    const { gone } = current
    see(current.id, gone.signal).catch((reason) => gone.signal.aborted || fail(reason))
  }
}

async function killAndStart(agents: DemoAgents, screen: Screen): Promise<void> {
  const pid = await agents.kill('deployer')
  screen.say(`\n  The deployer was killed with SIGKILL (process ${pid}) while its task waits.`)
  await agents.start('deployer')
  screen.say('  It is started again, from what it had stored: the same task waits, under the same link.')
}
