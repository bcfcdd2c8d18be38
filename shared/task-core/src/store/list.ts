// Pages of tasks, newest status first, by a cursor: a page costs the same at any depth (§3.1.4).
import { type TaskState, taskStates } from '../protocol/index.ts'
import type { Db } from './database.ts'

export interface TaskFilter {
  owner: string
  contextId?: string
  state?: TaskState
  /** Only tasks whose status is from this time, in ms, or later. */
  since?: number
}

/** The last task of a page: the next one begins after it. */
export interface Cursor {
  statusTime: number
  task: number
}

export function createLister(db: Db) {
  const statements = new Map<string, { page: ReturnType<Db['prepare']>; count: ReturnType<Db['prepare']> }>()
  const counts = db.prepare('SELECT state, tasks FROM counts WHERE owner = ?')

  /** One pair of statements for each combination of filters, made when it is first asked for. */
  function prepared({ contextId, state, since }: TaskFilter) {
    const where = [
      'owner = @owner',
      contextId === undefined ? '' : 'context_id = @contextId',
      state === undefined ? '' : 'state = @state',
      since === undefined ? '' : 'status_time >= @since',
    ]
      .filter(Boolean)
      .join(' AND ')
    let pair = statements.get(where)
    if (!pair) {
      const page = db.prepare(
        `SELECT task, status_time AS statusTime FROM tasks WHERE ${where} AND (status_time, task) < (@beforeTime, @beforeTask)
         ORDER BY status_time DESC, task DESC LIMIT @limit`,
      )
      pair = { page, count: db.prepare(`SELECT count(*) FROM tasks WHERE ${where}`).pluck() }
      statements.set(where, pair)
    }
    return pair
  }

  const parameters = (filter: TaskFilter) => ({
    ...filter,
    ...(filter.state === undefined ? {} : { state: taskStates.indexOf(filter.state) }),
  })

  return {
    page: (filter: TaskFilter, limit: number, after?: Cursor): Cursor[] =>
      prepared(filter).page.all({
        ...parameters(filter),
        beforeTime: after?.statusTime ?? Number.MAX_SAFE_INTEGER,
        beforeTask: after?.task ?? Number.MAX_SAFE_INTEGER,
        limit,
      }) as Cursor[],
    /** How many tasks the filter has in all: from the kept counts where it can be, else counted on an index. */
    total(filter: TaskFilter): number {
      if (filter.contextId !== undefined || filter.since !== undefined) {
        return prepared(filter).count.get(parameters(filter)) as number
      }
      return (counts.all(filter.owner) as { state: number; tasks: number }[])
        .filter(({ state }) => filter.state === undefined || taskStates[state] === filter.state)
        .reduce((sum, { tasks }) => sum + tasks, 0)
    },
  }
}

export type Lister = ReturnType<typeof createLister>
