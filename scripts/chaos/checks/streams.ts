// What each client saw, against the log: each stream a run of it without a gap, all of them together the whole.
import { isDeepStrictEqual } from 'node:util'
import { fold, type Message, type Task } from '@a2a-kit/task-core/protocol'
import type { Expect } from '../../crash/check.ts'
import type { Told } from '../scene.ts'
import type { Logged } from './database.ts'

export function checkStreams({ story, streams, watched, ends }: Told, logged: Logged, expect: Expect): void {
  const says: Expect = (holds, problem) => expect(holds, `${story}, task ${logged.id}: ${problem}`)
  const tasks = foldedTasks(logged)
  let last = 0
  for (const stream of streams) {
    stream.forEach(({ n, event }, index) => {
      const { task } = event
      const same = task
        ? isDeepStrictEqual(task, tasks[n - 1])
        : isDeepStrictEqual(event, logged.frames[n - 1])
      says(same, `event ${n} of a stream is not that of the log: ${JSON.stringify(event).slice(0, 200)}`)
      const before = stream[index - 1]?.n
      if (before !== undefined) says(n === before + 1, `a stream went from event ${before} to ${n}`)
      if (before === undefined) says(Boolean(task), `a stream began with event ${n} and not with the task`)
      if (before === undefined)
        says(n <= last + 1, `a stream began at event ${n}, and ${last} was seen before`)
      if (n === last && before === undefined) return
      // `watch` may begin with what was seen; it never goes back.
      says(n === last + 1 || (watched && n === last), `event ${n} was seen after ${last}`)
      last = Math.max(last, n)
    })
  }
  const whole = last === logged.events.length
  const left = ends.includes('TASK_STATE_CANCELED') && story === 'deploy left'
  says(whole || left, `the client saw ${last} of ${logged.events.length} events`)
}

/** The task after each event, as a client may be shown it. */
function foldedTasks({ events, frames }: Logged): Task[] {
  let task: Task | undefined
  return frames.map((frame, index) => {
    const { history } = events[index]!
    task = fold(task, { frame, ...(history && { history: JSON.parse(history) as Message[] }) })
    return structuredClone(task)
  })
}
