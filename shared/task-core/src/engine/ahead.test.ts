// Runs go ahead of the store: what becomes of them when a commit fails, and when something else is stored with what they wrote.
import { expect, test } from 'vitest'
import { endsBlockingWait } from '../protocol/index.ts'
import { bareAgent } from '../testing/bare-agent.ts'
import { realWorld } from '../world.ts'

const caller = { id: 'me' }

let ids = 0
const message = (more = {}) => ({
  message: { messageId: `M${++ids}`, role: 'ROLE_USER', parts: [{ text: 'x' }], ...more },
})

/** A world whose disk takes nothing while it is full. */
function fullDisk() {
  const disk = {
    ...realWorld,
    full: false,
    moment(name: string) {
      if (disk.full && name === 'commit:before') throw new Error('disk full')
    },
  }
  return disk
}

type Bare = Awaited<ReturnType<typeof bareAgent>>

/** Sends a message, and gives its task as soon as it is stored. */
async function begin({ operations }: Bare, more = {}) {
  const call = { caller, left: { gone: false } } as never
  const request = { ...message(more), configuration: { returnImmediately: true } }
  const { task } = JSON.parse(await operations.unary.SendMessage(request, call))
  return task
}

/** Resolves when the task has ended or waits. */
async function ended({ context }: Bare, { id }: { id: string }): Promise<void> {
  const { feed, store } = context.core
  const { task, state } = store.committed.tasks.find(id, caller.id)!
  if (endsBlockingWait(state)) return
  await new Promise<void>((resolve) => void feed.onSettled(task, resolve))
}

function states({ context }: Bare, id: string) {
  const { events, tasks } = context.core.store.committed
  const { task, lastEvent } = tasks.find(id, caller.id)!
  return [...events.between(task, 0, lastEvent)].map(({ state }) => state?.replace('TASK_STATE_', ''))
}

test('a step is not done for a task that could not be stored, and once when its message comes again', async () => {
  const disk = fullDisk()
  let steps = 0
  const agent = await bareAgent(async (task) => {
    await task.working('ahead')
    await task.artifact({ name: 'ahead', text: 'x' })
    await task.step('once', () => ++steps)
  }, disk)
  const { core, engine } = agent.context
  disk.full = true
  const again = message() as never
  await expect(engine.accept('me', again)).rejects.toThrow('could not commit')
  disk.full = false
  const { row } = await engine.accept('me', again)
  await new Promise<void>((resolve) => void core.feed.onSettled(row.task, resolve))
  expect(steps).toBe(1)
  expect(core.store.committed.list.total({ owner: 'me' })).toBe(1)
  expect(states(agent, row.id)).toEqual(['SUBMITTED', 'WORKING', undefined, 'COMPLETED'])
})

test('a run that has gone on from an event that could not be stored begins again, and the event is not missing', async () => {
  const disk = fullDisk()
  let runs = 0
  const agent = await bareAgent(async (task) => {
    runs += 1
    await task.step('first', () => true) // from here on the task is stored
    disk.full = runs === 1
    await task.working('lost')
    await new Promise((resolve) => setTimeout(resolve)) // the commit has failed by then
    disk.full = false
    await task.artifact({ name: 'after', text: 'x' })
  }, disk)
  const task = await begin(agent)
  await ended(agent, task)
  expect(runs).toBe(2)
  expect(states(agent, task.id)).toEqual(['SUBMITTED', 'WORKING', undefined, 'COMPLETED'])
})

test('what a step came to is written once the store takes it again, and the step not done anew, though its run began beside a read', async () => {
  let fails = false
  const moment = (name: string) => {
    if (!fails || name !== 'commit:before') return
    fails = false
    throw new Error('disk full')
  }
  let steps = 0
  const agent = await bareAgent(
    async (task) => {
      await task.ask('Go on?')
      await task.step('once', () => {
        fails = ++steps === 1
      })
    },
    { ...realWorld, moment },
  )
  const { core, engine } = agent.context
  const { id } = await begin(agent)
  await ended(agent, { id })
  // The commit of the answer begins the run, and what is read just before that is the first thing of the next turn.
  const before = core.store.write(() =>
    core.store.afterCommit(() => void core.store.committed.pushConfigs.allDue()),
  )
  const { row } = await engine.accept(caller.id, message({ taskId: id }) as never)
  await before
  await new Promise<void>((resolve) => void core.feed.onSettled(row.task, resolve))
  expect(steps).toBe(1)
  expect(states(agent, id)).toEqual(['SUBMITTED', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED'])
})

test('a run that waits for its turn in its context leaves the queue when its task could not be stored', async () => {
  const disk = fullDisk()
  const agent = await bareAgent((task) => task.step('long', () => new Promise<void>(() => {})), disk)
  const { contextId } = await begin(agent)
  disk.full = true
  await expect(begin(agent, { contextId })).rejects.toThrow('could not commit')
  expect(agent.context.engine.turns()).toEqual({ running: 1, queued: 0 })
})

test('a question is not asked any more by a run whose cancel is stored first', async () => {
  const answered = Promise.withResolvers<void>()
  const agent = await bareAgent(async (task) => {
    await task.working()
    await answered.promise
    await task.ask('Which one?')
  })
  const { core, engine } = agent.context
  const { id } = await begin(agent)
  const canceled = engine.cancel(core.store.committed.tasks.find(id, caller.id)!)
  answered.resolve()
  await canceled
  expect(states(agent, id)).toEqual(['SUBMITTED', 'WORKING', 'CANCELED'])
})

test('a cancel of a task that is being purged finds no task', async () => {
  const agent = await bareAgent(async () => {})
  const { store } = agent.context.core
  const { id } = await begin(agent)
  await ended(agent, { id })
  const row = store.committed.tasks.find(id, caller.id)!
  const purged = store.write(() => void store.writing.purge.remove(row.task))
  const cancel = agent.operations.unary.CancelTask({ id }, { caller } as never)
  await expect(cancel).rejects.toMatchObject({ name: 'TaskNotFoundError' })
  await purged
})

test('what follows at once from an answer is not in the task with which its stream begins', async () => {
  const large = 'x'.repeat(300_000)
  const agent = await bareAgent(async (task) => {
    await task.artifact({ name: 'before', text: 'small' })
    await task.ask('Go on?')
    await task.artifact({ name: 'after', text: large })
    await task.step('long', () => new Promise<void>(() => {}))
  })
  const { id } = await begin(agent)
  await ended(agent, { id })
  const frames = await agent.operations.streaming.SendStreamingMessage(message({ taskId: id }), {
    caller,
  } as never)
  const first = JSON.parse(frames.take()!.data)
  expect(first.task.artifacts.map(({ name }: { name: string }) => name)).toEqual(['before'])
  frames.close()
})

test('what a run emits ahead of the store is bounded in size, not in number alone', async () => {
  const part = 'x'.repeat(100_000)
  let [ahead, most] = [0, 0]
  const moment = (name: string) => {
    if (name === 'commit:after') ahead = 0
  }
  const agent = await bareAgent(
    async (task) => {
      for (let nth = 0; nth < 60; nth++) {
        await task.artifact({ name: `part ${nth}`, text: part })
        ahead += 1
        most = Math.max(most, ahead)
      }
    },
    { ...realWorld, moment },
  )
  await ended(agent, await begin(agent))
  expect(most).toBeLessThanOrEqual(3)
})
