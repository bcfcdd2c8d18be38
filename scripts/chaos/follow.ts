// How a client of a story sends, follows a task through drops, and approves.
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentClient, SendOptions } from '@a2a-kit/client'
import { A2AError, isTerminal, type Message, type Task, textOf } from '@a2a-kit/task-core/protocol'
import { insist } from './callers.ts'
import type { Scene, Seen, Told } from './scene.ts'

/** Sends until it is acknowledged: the message's id is the same at every try. Notes what was acknowledged. */
export async function say(
  scene: Scene,
  told: Told,
  client: AgentClient,
  parts: Message['parts'],
  options: SendOptions = { returnImmediately: true },
): Promise<Task> {
  const messageId = `${scene.id}/${told.story}/${told.messageIds.length}`
  const place = told.taskId === '' ? {} : { taskId: told.taskId }
  const message: Message = { messageId, ...place, role: 'ROLE_USER', parts }
  const { signal } = scene
  const { task } = await insist(signal, () => client.sendMessage(message, { ...options, signal }))
  if (!task) throw new Error(`"${messageId}" was answered without a task`)
  if (told.taskId !== '' && told.taskId !== task.id)
    throw new Error(`"${messageId}" was for task ${told.taskId}, and task ${task.id} took it`)
  told.taskId = task.id
  told.messageIds.push(messageId)
  told.states.push(task.status.state)
  return task
}

/**
 * Follows the task on plain streams, each from the last event that was seen, until the event that ends the task or until `onEvent` gives
 * true. `onEvent` is given each event once.
 */
export async function follow(
  { signal }: Scene,
  told: Told,
  client: AgentClient,
  onEvent: (seen: Seen) => Promise<boolean | void>,
): Promise<void> {
  let last = 0
  for (;;) {
    const stream: Seen[] = []
    told.streams.push(stream)
    let done: Promise<boolean | void> | undefined
    try {
      const from = String(Math.max(last, 1))
      for await (const { event, eventId } of client.subscribeToTask(told.taskId, {
        lastEventId: from,
        signal,
      })) {
        const seen = { n: Number(eventId), event }
        stream.push(seen)
        if (seen.n <= last) continue
        last = seen.n
        done = onEvent(seen)
        if (await done) return
        done = undefined
        const state = (event.statusUpdate ?? event.task)?.status.state
        if (state && isTerminal(state)) return
      }
    } catch {
      await done // what the story itself could not do is no matter of the stream
      signal.throwIfAborted() // it was cut, or refused for a while: again, from the last event
    }
    await pause(20, undefined, { signal })
  }
}

/** Follows the task by the client's `watch`, to its end. */
export async function watch(
  { signal }: Scene,
  told: Told,
  client: AgentClient,
  onTask: (task: Task) => Promise<void>,
): Promise<void> {
  told.watched = true
  let last = 0
  for (;;) {
    const stream: Seen[] = []
    told.streams.push(stream)
    let done: Promise<void> | undefined
    try {
      const lastEventId = String(Math.max(last, 1))
      for await (const seen of client.watch(told.taskId, { lastEventId, signal })) {
        if (seen.eventId !== undefined) stream.push({ n: Number(seen.eventId), event: seen.event })
        last = Math.max(last, Number(seen.eventId ?? 0))
        done = onTask(seen.task)
        await done
        done = undefined
        if (isTerminal(seen.task.status.state)) return
      }
    } catch (error) {
      await done
      // The agent could not read its store, which `watch` does not try again. All else is its own affair.
      if (!(error instanceof A2AError) || error.name !== 'InternalError') throw error
    }
    await pause(20, undefined, { signal })
  }
}

/** Cancels until it is answered, and notes what was answered. */
export async function cancel({ signal }: Scene, told: Told, client: AgentClient): Promise<void> {
  const task = await insist(signal, async () => {
    try {
      return await client.cancelTask(told.taskId, { signal })
    } catch (error) {
      // A try before whose answer was an error may have been carried out since.
      if (!(error instanceof A2AError) || error.name !== 'TaskNotCancelableError') throw error
      return client.getTask(told.taskId, { signal })
    }
  })
  told.states.push(task.status.state)
}

/** What an operator does at the address that a status message gives. */
export type Verb = 'approve' | 'deny' | 'revoke'

/** Does it until there is an answer. Notes what was granted. */
export async function decide(
  { callers, signal }: Scene,
  told: Told,
  message: Message | undefined,
  verb: Verb = 'approve',
): Promise<void> {
  const [link] = /http:\S+\/approve\/[\w-]+(\?digest=\w+)?/.exec(textOf(message)) ?? []
  if (!link) throw new Error(`no link to approve in "${textOf(message)}"`)
  for (;;) {
    try {
      const { status, text } = await callers.post(link.replace('/approve/', `/${verb}/`))
      if (status === 200) told[verb] += 1
      // What has expired by a clock that is put right again waits again.
      const waits = status === 410 && !text.includes('has ended')
      if (status < 500 && !waits) return
    } catch {
      signal.throwIfAborted()
    }
    await pause(30, undefined, { signal })
  }
}
