// Turns the events of a task into lines of the story.
import type { AgentClient } from '@a2a-kit/client'
import {
  isInterrupted,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  textOf,
} from '@a2a-kit/task-core/protocol'
import type { Screen } from './screen.ts'

export interface Told {
  client: AgentClient
  taskId: string
  /** Who sends this agent its messages. */
  caller: string
  signal: AbortSignal
  /** Called after each event, with the task after it. */
  onTask?: (task: Task) => void
}

/** Tells the task from its first event to its end. The caller's first message is told by `first`, if it is given. */
export async function tellTask(
  screen: Screen,
  { client, taskId, caller, signal, onTask }: Told,
): Promise<void> {
  const { name } = client
  let before: Task | undefined
  let artifacts: string[] = []
  for await (const { event, task } of client.watch(taskId, { lastEventId: '1', signal })) {
    const at = Date.parse(task.status.timestamp ?? '') || Date.now()
    const state = (event.statusUpdate ?? event.task)?.status.state
    if (event.task && !before) {
      const [first] = task.history ?? []
      if (first) screen.line({ at: at - 1, who: `${caller} → ${name}`, text: quoted(first) })
    }
    if (state === 'TASK_STATE_WORKING' && before && isInterrupted(before.status.state)) {
      const answer = await lastWords(client, taskId, before, signal)
      if (answer) screen.line({ at: at - 1, who: `${caller} → ${name}`, text: quoted(answer) })
    }
    if (event.artifactUpdate) artifacts.push(event.artifactUpdate.artifact.name ?? 'without a name')
    if (state) {
      // An artifact has no time of its own: it came just before the next status.
      for (const artifact of artifacts) screen.line({ at: at - 1, who: name, text: `artifact ${artifact}` })
      artifacts = []
      screen.line({ at, who: name, text: [state, words(event)].filter(Boolean).join('  ') })
    }
    before = task
    onTask?.(task)
  }
}

const words = ({ statusUpdate, task }: StreamResponse): string => {
  const said = textOf((statusUpdate ?? task)?.status.message)
  return said && `"${said}"`
}

/** The message that answered the wait in which `before` was, if one did: an approval comes without. */
async function lastWords(
  client: AgentClient,
  taskId: string,
  before: Task,
  signal: AbortSignal,
): Promise<Message | undefined> {
  const { history = [] } = await client.getTask(taskId, { signal })
  const question = before.status.message?.messageId
  const at = history.findIndex(({ messageId }) => messageId === question)
  return at === -1 ? undefined : history[at + 1]
}

function quoted({ parts }: Message): string {
  const text = parts
    .map(({ text }) => text ?? '')
    .join(' ')
    .trim()
  const data = parts.filter(({ data }) => data !== undefined).map(dataWords)
  return [text && `"${text}"`, ...data].filter(Boolean).join(' with ')
}

/** The names of a data part's fields, and the values of those that are short. */
function dataWords({ data }: Part): string {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return JSON.stringify(data)
  return Object.entries(data)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return text.length <= 40 ? `${key} ${text}` : `${key} (${text.split('\n').length} lines)`
    })
    .join(', ')
}
