// `references`: the tasks that the client's message refers to, read once (§3.4.3).
import { TaskError } from '../../define-agent.ts'
import type { Artifact, Message, Struct, Task, TaskStatus } from '../../protocol/index.ts'
import type { TaskRow } from '../../store/index.ts'
import type { Run } from '../run.ts'
import { artifactsNow } from '../writer.ts'

/** A client may name as many as it likes; more than these are not looked for. */
const most = 20

export function createReferences(
  { core, journal, call, first, fresh }: Run,
  { referenceTaskIds = [] }: Message,
) {
  const { store, settings } = core
  const { tasks, events } = store.writing

  const read = (row: TaskRow): Task => {
    const artifacts = artifactsNow(row, events)
    return {
      id: row.id,
      contextId: row.contextId,
      status: JSON.parse(row.status) as TaskStatus,
      ...(artifacts && { artifacts: JSON.parse(artifacts) as Artifact[] }),
      history: JSON.parse(row.history) as Message[],
      ...(row.metadata && { metadata: JSON.parse(row.metadata) as Struct }),
    }
  }

  return function references(): Promise<Task[]> {
    const key = journal.next('references')
    return call('references', async () => {
      const known = journal.get<Task[]>(key)
      if (known) return known
      await fresh()
      return store.write(() => {
        const ids = [...new Set(referenceTaskIds)].slice(0, most)
        const rows = ids.flatMap((id) => tasks.find(id, first.owner) ?? [])
        const bytes = rows.reduce((sum, row) => sum + row.artifactBytes + row.history.length, 0)
        if (bytes > settings.maxArtifactBytes) {
          throw new TaskError(
            `The tasks that the message refers to have more than ${settings.maxArtifactBytes} bytes.`,
          )
        }
        const found = rows.map(read)
        journal.put(key, found)
        return found
      })
    })
  }
}
