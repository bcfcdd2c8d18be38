// `follow`: work handed to another agent. Recorded like a step: its result, or why it failed.
import { type Delegation, type FollowedTask, TaskError } from '../../define-agent.ts'
import { A2AError, type Task } from '../../protocol/index.ts'
import { StoreError } from '../../store/index.ts'
import type { Run } from '../run.ts'
import { type FollowRecord, newFollow, resultOf, startOver } from './followed.ts'
import { resumeWork } from './mirror.ts'
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
      const now = () => new Date(world.now()).toISOString()
      const record = known ?? newFollow(delegation.agent, `${first.id}/${key}`, now())
      const save = () => store.write(() => journal.put(key, record))
      let bug: unknown
      const answer: Delegation['answer'] = (question, nth) => {
        try {
          return delegation.answer?.(question, nth)
        } catch (error) {
          bug = error
          throw error
        }
      }
      const stay = async (): Promise<Task> => {
        const left = new AbortController()
        try {
          return await stayWith({
            run,
            key,
            record,
            delegation: { ...delegation, answer },
            signal: AbortSignal.any([signal, left.signal]),
          })
        } catch (error) {
          if (signal.aborted || !isUnknown(error) || !startOver(record, now())) throw error
          log.warn(
            { taskId: first.id, agent: delegation.agent.name, lost: record.lost },
            'A followed task is not known any more; starting over.',
          )
          await resumeWork(run, key)
        } finally {
          left.abort() // ends the watch, where it has not ended with the task
        }
        return stay()
      }
      try {
        record.result = resultOf(record, await stay())
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
      }
    })
  }
}

/** Whether the other agent says that it has no such task: it was purged, since what is finished is kept for a time only. */
const isUnknown = (error: unknown): boolean => error instanceof A2AError && error.name === 'TaskNotFoundError'
