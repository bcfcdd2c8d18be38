// Stays with a task at another agent to its end: answers what it asks, or mirrors its waits on this task (§7.6.2).
import { type Delegation, TaskError } from '../../define-agent.ts'
import {
  A2AError,
  isInterrupted,
  isTerminal,
  type Message,
  type Part,
  partsOf,
  type Task,
  textOf,
} from '../../protocol/index.ts'
import type { WaitRecord } from '../journal.ts'
import type { Run } from '../run.ts'
import {
  type Answer,
  type Asked,
  type FollowRecord,
  firstMessage,
  openWait,
  settle,
  settleOutside,
} from './followed.ts'
import { mirrorWait, resumeWork } from './mirror.ts'
import { type Observer, observe, type Sight } from './observe.ts'

/** What another agent says of a message that it does not take, whoever wrote it. */
const refusals: ReadonlySet<string> = new Set([
  'ContentTypeNotSupportedError',
  'InvalidParamsError',
  'PayloadTooLargeError',
])

interface Following {
  run: Run
  /** The key of the call; `record` is stored under it. */
  key: string
  record: FollowRecord
  delegation: Delegation
  signal: AbortSignal
}

/** Returns the other agent's task once it is terminal. Begins it, or goes on where `record` stands. */
export async function stayWith({ run, key, record, delegation, signal }: Following): Promise<Task> {
  const { journal } = run
  const { store, world } = run.core
  const { agent } = delegation
  const save = () => store.write(() => journal.put(key, record))
  const waitKey = (asked: Asked) => `${key}/wait:${record.asked.indexOf(asked)}`
  let observer: Observer | undefined
  let sight: Sight | undefined
  let remote = record.taskId === undefined ? await start() : await goOn(record.taskId)

  while (!isTerminal(remote.status.state)) {
    const wake = run.woken() // taken before the records are read, so that no news is missed
    const asked = openWait(record, remote, sight?.wentOnAt)
    const answer = asked && answerTo(asked)
    if (answer) await forward(asked, answer)
    // Subscribed before anybody is told: an approval that comes at once is not missed.
    else if (!observer) remote = await look(remote.id)
    else {
      if (asked)
        await mirrorWait(run, agent.name, remote.status, {
          wait: waitKey(asked),
          refusal: asked.refusal,
          note: () => journal.put(key, record),
        })
      else await resumeWork(run, key)
      await news(observer, wake)
    }
  }
  await resumeWork(run, key)
  settleOutside(record, remote, sight?.wentOnAt)
  return remote

  /** The first message goes out under an id of this call: sent again after a crash, it finds the same task. */
  async function start(): Promise<Task> {
    await save() // from here on a cancel knows that a task may have been made
    const task = await send(firstMessage(record, delegation.message))
    Object.assign(record, { taskId: task.id, contextId: task.contextId })
    await save()
    return task
  }

  /** After a restart: from the event that was seen last, so that what happened meanwhile comes in order. */
  async function goOn(taskId: string): Promise<Task> {
    if (run.row().wait?.startsWith(`${key}/`)) run.yieldTurn()
    const seen = await look(taskId)
    const unsure = record.asked.find(({ sent, answeredBy }) => sent && !answeredBy)
    return unsure ? newer(await deliver(unsure, unsure.sent!), seen) : seen
  }

  async function send(message: Message): Promise<Task> {
    world.moment('send:before')
    const answer = await agent.sendMessage(message, { signal })
    world.moment('send:after')
    if (answer.task) return answer.task
    throw new TaskError(`${agent.name} answered with a message and no task: ${textOf(answer.message)}`)
  }

  /** What the other's wait is to be answered with, from what the caller sent or from what this agent knows. */
  function answerTo(asked: Asked): Answer | undefined {
    const theirs = journal.get<WaitRecord>(waitKey(asked))
    if (theirs?.outcome === 'message') return { by: 'caller', parts: theirs.message.parts }
    const question = remote.status.message
    if (asked.kind !== 'question' || !question) return undefined
    const nth = record.asked.filter(({ kind }) => kind === 'question').length
    const own = delegation.answer?.(question, nth)
    return own === undefined ? undefined : { by: 'self', parts: partsOf(own) }
  }

  async function forward(asked: Asked, answer: Answer): Promise<void> {
    await run.resumeTurn()
    asked.sent = answer // noted first: after a crash it is sent again, and the other agent says whose answer it took
    await save()
    remote = newer(await deliver(asked, answer), remote)
  }

  async function deliver(asked: Asked, { by, parts }: Answer): Promise<Task> {
    let task: Task
    try {
      const messageId = `${run.first.id}/${waitKey(asked)}`
      const { contextId, taskId } = record
      task = await send({ messageId, contextId: contextId!, taskId: taskId!, role: 'ROLE_USER', parts })
      settle(asked, by, new Date(world.now()).toISOString(), textOf({ parts }))
    } catch (error) {
      if (!(error instanceof A2AError)) throw error
      task = await agent.getTask(record.taskId!, { signal })
      // Somebody else has answered meanwhile; or what the caller sent is not to be taken, and the wait goes on.
      if (error.name === 'UnsupportedOperationError') settle(asked, 'outside', task.status.timestamp ?? '')
      else if (by === 'caller' && refusals.has(error.name)) refuse(asked, parts, error.message)
      else throw error
    }
    await save()
    return task
  }

  /** The same wait again, for another answer. */
  function refuse(asked: Asked, parts: Part[], refusal: string): void {
    const { kind, text, at, identity } = asked
    settle(asked, 'caller', new Date(world.now()).toISOString(), textOf({ parts }))
    record.asked.push({ kind, text, at, identity, refusal })
  }

  /** Replies overtake the watch: once there is one, it alone tells what happens before the end. */
  function newer(reply: Task, seen: Task): Task {
    return observer && !isTerminal(reply.status.state) ? seen : reply
  }

  async function look(taskId: string): Promise<Task> {
    const waits = () => isInterrupted(run.row().state)
    observer = observe(agent, taskId, { lastEventId: record.lastEventId, signal, waits })
    return see(await observer.after())
  }

  /** Resolves when the other task has changed, or at `wake`. */
  async function news(from: Observer, wake: Promise<void>): Promise<void> {
    const seen = await Promise.race([from.after(sight), wake])
    if (!seen) return
    remote = see(seen)
    await save()
  }

  function see(seen: Sight): Task {
    sight = seen
    if (seen.eventId !== undefined) record.lastEventId = seen.eventId
    return seen.task
  }
}
