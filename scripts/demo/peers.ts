// Finds the tasks that the planner started at its peers, and tells them too.
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentClient } from '@a2a-kit/client'
import type { Task } from '@a2a-kit/task-core/protocol'
import type { Screen } from './screen.ts'
import { tellTask } from './tell.ts'

export interface PeerStory {
  /** The planner's task. */
  plannerTaskId: string
  signal: AbortSignal
  onTask: (task: Task) => void
}

/** Tells the peer's first task that comes of the planner's: its message's id begins with the planner's task id. */
export async function tellPeer(
  screen: Screen,
  client: AgentClient,
  { plannerTaskId, signal, onTask }: PeerStory,
) {
  for (;;) {
    const { tasks } = await client.listTasks({ pageSize: 20 }, { signal })
    const ours = tasks.find(({ history }) => history?.[0]?.messageId.startsWith(plannerTaskId))
    if (ours) {
      return tellTask(screen, { client, taskId: ours.id, caller: 'planner', signal, onTask })
    }
    await pause(100, undefined, { signal })
  }
}
