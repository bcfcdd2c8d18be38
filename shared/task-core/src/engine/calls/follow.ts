// `follow`: hands work to another agent and stays with it to its end, mirroring its waits on this task (§7.6.2).
import { type Delegation, type FollowedTask, TaskError } from '../../define-agent.ts'
import {
  A2AError,
  type Content,
  isInterrupted,
  isTerminal,
  partsOf,
  type Task,
  textOf,
} from '../../protocol/index.ts'
import { never } from '../core.ts'
import type { WaitRecord } from '../journal.ts'
import type { Run } from '../run.ts'
import { type Asked, type FollowRecord, openQuestion, resultOf, settleOutside } from './followed.ts'
import { mirrorWait, resumeWork } from './mirror.ts'
import { type Observer, observe } from './observe.ts'
import { passCancelOn } from './pass-cancel.ts'

export function createFollow(run: Run) {
  const { core, journal, signal, first } = run
  const { store, world, log } = core

  return function follow(name: string, delegation: Delegation): Promise<FollowedTask> {
    const key = journal.next('follow', name)
    return run.call(`follow:${name}`, async () => {
      const known = journal.get<FollowRecord>(key)
      if (known?.result) return known.result
      if (run.canceling && known) run.canceling.passedOn.push(await passCancelOn(delegation, known))
      await run.fresh()
      try {
        return await toTheEnd(key, delegation, known)
      } catch (error) {
        if (signal.aborted) return never()
        if (error instanceof TaskError || !(error instanceof Error) || error.name === 'StoreError')
          throw error
        log.warn({ err: error, taskId: first.id, agent: delegation.agent.name }, 'A followed task was lost.')
        throw new TaskError(`${delegation.agent.name}: ${error.message}`)
      }
    })
  }

  async function toTheEnd(key: string, delegation: Delegation, known?: FollowRecord): Promise<FollowedTask> {
    const { agent } = delegation
    const record = known ?? newRecord()
    const save = () => store.write(() => journal.put(key, record))
    const waitKey = (asked: Asked) => `${key}/wait:${record.asked.indexOf(asked)}`
    let observer: Observer | undefined
    let wentOnAt: string | undefined
    let remote = record.taskId ? await agent.getTask(record.taskId, { signal }) : await start()

    while (!isTerminal(remote.status.state)) {
      const wake = run.woken() // taken before the records are read, so that no news is missed
      if (isInterrupted(remote.status.state)) await answerOrMirror(wake)
      else {
        await resumeWork(run, key)
        await news(wake)
      }
    }
    await resumeWork(run, key)
    settleOutside(record, remote, wentOnAt)
    record.result = resultOf(record, remote)
    await save()
    return record.result

    function newRecord(): FollowRecord {
      const startedAt = new Date(world.now()).toISOString()
      return { agent: agent.name, url: agent.url, messageId: `${first.id}/${key}`, startedAt, asked: [] }
    }

    /** The first message goes out under an id of this call: sent again after a crash, it finds the same task. */
    async function start(): Promise<Task> {
      if (!known) await save() // from here on a cancel knows that a task may have been made
      const task = await send(record.messageId, delegation.message)
      Object.assign(record, { taskId: task.id, contextId: task.contextId })
      await save()
      return task
    }

    async function send(messageId: string, content: Content, to?: Task): Promise<Task> {
      const place = to ? { contextId: to.contextId, taskId: to.id } : {}
      world.moment('send:before')
      const answer = await agent.sendMessage(
        { messageId, ...place, role: 'ROLE_USER', parts: partsOf(content) },
        { signal },
      )
      world.moment('send:after')
      if (answer.task) return answer.task
      throw new TaskError(`${agent.name} answered with a message and no task: ${textOf(answer.message)}`)
    }

    /** The other task waits: answer from what is known or from what the caller sent, or pass the wait up. */
    async function answerOrMirror(wake: Promise<void>): Promise<void> {
      const asked = openQuestion(record, remote, wentOnAt)
      const theirs = journal.get<WaitRecord>(waitKey(asked))
      const question = remote.status.message
      const nth = record.asked.filter(({ kind }) => kind === 'question').length
      const own = asked.kind === 'question' && question ? delegation.answer?.(question, nth) : undefined
      if (theirs?.outcome === 'message') return forward(asked, theirs.message.parts, 'caller')
      if (own !== undefined) return forward(asked, own, 'self')
      await watching() // subscribed before anybody is told: an approval that comes at once is not missed
      await mirrorWait(run, agent.name, remote.status, waitKey(asked))
      await news(wake)
    }

    async function forward(asked: Asked, answer: Content, answeredBy: 'caller' | 'self'): Promise<void> {
      await run.resumeTurn()
      await save()
      try {
        remote = await send(`${first.id}/${waitKey(asked)}`, answer, remote)
      } catch (error) {
        // Answered by somebody else meanwhile: go by what the task is now.
        if (!(error instanceof A2AError) || error.name !== 'UnsupportedOperationError') throw error
        remote = await agent.getTask(remote.id, { signal })
      }
      const text = textOf({ parts: partsOf(answer) })
      const answeredAt = new Date(world.now()).toISOString()
      Object.assign(asked, { answeredBy, answeredAt, ...(text ? { answer: text } : {}) })
      await save()
    }

    function watching(): Promise<unknown> {
      observer ??= observe(agent, remote.id, record.lastEventId, signal)
      return observer.sight()
    }

    /** Resolves when the other task has changed, or at `wake`. */
    async function news(wake: Promise<void>): Promise<void> {
      await watching()
      const changed = observer!.changed()
      if (!isNewer((await observer!.sight()).task, remote)) await Promise.race([changed, wake])
      const { task, eventId, wentOnAt: at } = await observer!.sight()
      wentOnAt = at
      // The answer to a message can be ahead of the watch.
      if ((task.status.timestamp ?? '') >= (remote.status.timestamp ?? '')) remote = task
      if (eventId === undefined || eventId === record.lastEventId) return
      record.lastEventId = eventId
      await save()
    }
  }
}

const isNewer = ({ status: seen }: Task, { status: known }: Task): boolean =>
  seen.timestamp === known.timestamp
    ? seen.state !== known.state
    : (seen.timestamp ?? '') > (known.timestamp ?? '')
