// Every log of the round: whole, by the table of transitions, with one end, and folding to the task that the agent gives.
import { isTerminal, type Task, type TaskState, taskStates } from '@a2a-kit/task-core/protocol'
import { transitions } from '../../../shared/task-core/src/engine/transitions.ts'
import type { Expect } from '../../crash/check.ts'
import { checkEvents } from '../../crash/check-log.ts'
import type { Logged } from './database.ts'

/** The states that the log goes through, in order. */
export const statesOf = ({ frames }: Pick<Logged, 'frames'>): TaskState[] =>
  frames.flatMap(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.state ?? [])

/** `served` is the task as GetTask gives it. */
export function checkLogged(logged: Logged, served: Task | undefined, expect: Expect): void {
  const says: Expect = (holds, problem) => expect(holds, `task ${logged.id}: ${problem}`)
  const states = statesOf(logged)
  states.forEach((state, index) => {
    const before = states[index - 1]
    const allowed =
      before === undefined ? state === 'TASK_STATE_SUBMITTED' : transitions[before].includes(state)
    says(allowed, `it went from ${before ?? 'nothing'} to ${state}`)
  })
  says(
    taskStates[logged.state] === states.at(-1),
    `its row is in ${taskStates[logged.state]}, its log in ${states.at(-1)}`,
  )
  if (isTerminal(states.at(-1)!)) checkEvents(logged, logged.events, served, says)
  else says(false, `it has no end, it is in ${states.at(-1)}`)
}
