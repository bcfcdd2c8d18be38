// The story that is told at every point: a client has a change shipped, answers, approves, and never loses patience.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentClient, connect } from '@a2a-kit/client'
import { type Message, type Task, textOf } from '@a2a-kit/task-core/protocol'
import { type AgentName, root } from '../kit.ts'

export const storyNames = ['known-branch', 'asked-branch'] as const
/** Whether the client names the base branch from the start, or when it is asked. */
export type StoryName = (typeof storyNames)[number]

export interface Told {
  /** The planner's task at its end. */
  task: Task
  /** The messages that the client sent, in order. */
  sent: Message[]
  /** The ids of the events that the client saw, in order. */
  eventIds: number[]
  /** The deploys that it approved, by their addresses. */
  approved: string[]
}

/** Long enough for an agent that starts again on a machine that is busy. */
const retry = { attempts: 10_000, totalMs: 120_000, firstMs: 50, longestMs: 500 }

/** A client that tries again until it is answered. */
export const patientClient = (url: string): Promise<AgentClient> => connect(url, { retry })

/** Resolves when the planner's task has ended, in whatever state. */
export async function tellStory(
  name: StoryName,
  urls: Record<AgentName, string>,
  signal: AbortSignal,
): Promise<Told> {
  const planner = await patientClient(urls.planner)
  const sent: Message[] = []
  const eventIds: number[] = []
  const approved: string[] = []

  /** The message's id is the same at every try, so what is sent again is known again. */
  async function send(messageId: string, parts: Message['parts'], to?: Task): Promise<Task> {
    const place = to ? { taskId: to.id, contextId: to.contextId } : {}
    const message: Message = { messageId, ...place, role: 'ROLE_USER', parts }
    sent.push(message)
    const { task } = await planner.sendMessage(message, { returnImmediately: true, signal })
    return task!
  }

  const acknowledged = await send('ship', [{ data: await change(name) }])
  let task = acknowledged
  for await (const seen of planner.watch(acknowledged.id, { lastEventId: '1', signal })) {
    task = seen.task
    if (seen.eventId !== undefined) eventIds.push(Number(seen.eventId))
    const { state, message } = task.status
    if (seen.event.artifactUpdate || !message) continue
    if (state === 'TASK_STATE_INPUT_REQUIRED')
      await send(`answer ${message.messageId}`, [{ text: 'main' }], task)
    if (state === 'TASK_STATE_AUTH_REQUIRED') await approve(message)
  }
  return { task, sent, eventIds, approved }

  /** Follows the link in the text, as a person would. */
  async function approve(message: Message): Promise<void> {
    const [link] = /http:\S+\/approve\/[\w-]+/.exec(textOf(message)) ?? []
    if (!link) throw new Error(`The planner waits for an approval, and says not where: "${textOf(message)}"`)
    approved.push(link)
    for (let lost = false; ; lost = true) {
      const response = await fetch(link, { method: 'POST', signal }).catch(() => undefined)
      signal.throwIfAborted()
      const said = await response?.text().catch(() => undefined)
      if (response?.ok) return
      // The try before may have been taken, and only its answer was lost.
      if (lost && response?.status === 409 && said?.includes('was approved')) return
      if (said !== undefined) throw new Error(`POST ${link} answered ${response!.status}: ${said}`)
      await pause(50, undefined, { signal })
    }
  }
}

async function change(story: StoryName) {
  const diff = await readFile(join(root, 'fixtures/payments-api/changes/idempotency-keys.diff'), 'utf8')
  const known = story === 'known-branch' ? { baseBranch: 'main' } : {}
  return { repository: 'payments-api', diff, build: '2026.10.06-1', environment: 'staging', ...known }
}
