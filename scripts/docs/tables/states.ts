// The states of a task: the class of each, who sets it, and what a client does next.
import { isInterrupted, isTerminal, type TaskState, taskStates } from '@a2a-kit/task-core/protocol'
import { table } from '../markdown.ts'

interface Facts {
  setBy: string
  next: string
}

const facts: Record<TaskState, Facts> = {
  TASK_STATE_UNSPECIFIED: {
    setBy: 'nobody: it is what a state that was left out reads as',
    next: 'takes it for a fault of the agent, as it does a name that it does not know',
  },
  TASK_STATE_SUBMITTED: {
    setBy: 'the server, when it makes the task',
    next: 'follows the task: by a stream, by push notifications, or by `GetTask` now and then',
  },
  TASK_STATE_WORKING: {
    setBy: 'the agent; the server, when it accepts an answer or an approval',
    next: 'follows the task',
  },
  TASK_STATE_COMPLETED: {
    setBy: 'the agent, having finished',
    next: 'takes the artifacts; to go on from there, it starts a new task with this one in `referenceTaskIds`',
  },
  TASK_STATE_FAILED: {
    setBy: 'the agent, when it cannot do the work; the server, when an agent breaks or a wait expires',
    next: 'reads why in the status message, mends what it sent, and starts a new task',
  },
  TASK_STATE_CANCELED: {
    setBy: 'the server, for a `CancelTask`',
    next: 'is done; if it wants the work after all, it starts again in the same context',
  },
  TASK_STATE_INPUT_REQUIRED: {
    setBy: 'the agent, when it asks',
    next: 'answers by a message with the `taskId` and `contextId` of the task, or cancels',
  },
  TASK_STATE_REJECTED: {
    setBy: 'the agent, when it declines; also when an operator denies',
    next: 'does not send the same again: the status message says what stands against it',
  },
  TASK_STATE_AUTH_REQUIRED: {
    setBy: 'the agent, when somebody must authorize what comes next',
    next: 'hands the request to whoever may decide, outside of A2A, and follows the task meanwhile',
  },
}

function classOf(state: TaskState): string {
  if (state === 'TASK_STATE_UNSPECIFIED') return 'none'
  if (isTerminal(state)) return 'terminal'
  return isInterrupted(state) ? 'interrupted' : 'active'
}

/** In the order in which a client meets them. */
export function statesTable(): string[] {
  const classes = ['none', 'active', 'interrupted', 'terminal']
  const rank = (state: TaskState) => classes.indexOf(classOf(state))
  return table(
    ['state', 'class', 'set by', 'what a client does next'],
    taskStates
      .toSorted((one, other) => rank(one) - rank(other))
      .map((state) => [`\`${state}\``, classOf(state), facts[state].setBy, facts[state].next]),
  )
}
