// `follow`: work handed to another agent. Recorded like a step: its result, or why it failed.
import { type Delegation, type FollowedTask, TaskError } from '../../define-agent.ts'
import { StoreError } from '../../store/index.ts'
import type { Run } from '../run.ts'
import { type FollowRecord, newFollow, resultOf } from './followed.ts'
import { passCancelOn } from './pass-cancel.ts'
import { stayWith } from './stay-with.ts'

export function createFollow(run: Run) {
  const { core, journal, signal, first } = run
  const { store, world, log } = core

  return function follow(name: string, delegation: Delegation): Promise<FollowedTask> {
    const key = journal.next('follow', name)
    return run.call(`follow:${name}`, async () => {
      const known = journal.get<FollowRecord>(key)
      if (known?.result) return known.result
      if (run.canceling && known) run.canceling.passedOn.push(await passCancelOn(delegation, known, signal))
      if (known?.failure !== undefined) throw new TaskError(known.failure)
      await run.fresh()
      const record =
        known ?? newFollow(delegation.agent, `${first.id}/${key}`, new Date(world.now()).toISOString())
      const save = () => store.write(() => journal.put(key, record))
      const left = new AbortController()
      let bug: unknown
      const answer: Delegation['answer'] = (question, nth) => {
        try {
          return delegation.answer?.(question, nth)
        } catch (error) {
          bug = error
          throw error
        }
      }
      try {
        const task = await stayWith({
          run,
          key,
          record,
          delegation: { ...delegation, answer },
          signal: AbortSignal.any([signal, left.signal]),
        })
        record.result = resultOf(record, task)
        await save()
        return record.result
      } catch (error) {
        if (signal.aborted || error instanceof StoreError || error === bug || !(error instanceof Error))
          throw error
        const { agent } = delegation
        log.warn({ err: error, taskId: first.id, agent: agent.name }, 'A followed task was lost.')
        const why = error instanceof TaskError ? error.message : `${agent.name}: ${error.message}`
        // Nobody looks after the other task any more: what it waits for must not be done later on.
        record.failure = record.taskId ? `${why} ${await passCancelOn(delegation, record, signal)}` : why
        await save()
        throw new TaskError(record.failure)
      } finally {
        left.abort() // ends the watch, where it has not ended with the task
      }
    })
  }
}
