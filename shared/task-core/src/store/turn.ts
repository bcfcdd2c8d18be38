// What the open turn has changed and SQLite does not have yet: a row is written once, before the commit, however often it changed meanwhile.
import { isTerminal, type Message } from '../protocol/index.ts'
import type { Gathered } from './batch.ts'
import type { Db } from './database.ts'
import { createEventInserts, type LoggedEvent, type StoredEvent } from './events.ts'
import { createMarkDue } from './push-configs.ts'
import { createMessageInsert, createRecordPut } from './records.ts'
import { createTaskInserts, type TaskRow } from './tasks.ts'

/** The changes of one task. */
interface Changed {
  /** Undefined where only records have changed. */
  row: TaskRow | undefined
  /** What of the row is to be written: with `artifacts` nothing that an index has. */
  columns: 'artifacts' | 'all' | undefined
  /** Made in this turn: SQLite has nothing of it yet. */
  isNew: boolean
  events: StoredEvent[]
  /** JSON by key. */
  records: Map<string, string>
  snapshot: Snapshot | undefined
  /** Whether its push configs have something to send. */
  pushes: boolean
}

interface Snapshot {
  event: number
  artifacts: string
}

interface Accepted {
  digest: string
  task: number
}

/** The most characters that wait in memory for the end of the turn, or are kept at hand after it: it may be the last one for long. */
const most = 256 * 1024

export type Turn = ReturnType<typeof createTurn>

/** What is changed here is undone when the `undoably` that is under way throws. */
export function createTurn(db: Db) {
  const inserts = {
    task: createTaskInserts(db),
    event: createEventInserts(db),
    record: createRecordPut(db),
    message: createMessageInsert(db),
    markDue: createMarkDue(db),
  }
  let tasks = new Map<number, Changed>()
  /** By owner, then by their ids. */
  let messages = new Map<string, Map<string, Accepted>>()
  /** How many tasks more an owner has in each state, by its number. */
  let counts = new Map<string, Map<number, number>>()
  let size = 0
  let applied = new Map<number, Changed>()
  /** What the last commit has changed: who waited for it reads it from here. */
  let latest = new Map<number, Changed>()
  let undo: (() => void)[] | undefined

  const isLarge = () => size > most

  /** Sets a value, and undoes that. */
  function set<K, V>(map: Map<K, V>, key: K, value: V): void {
    if (undo) {
      const before = map.get(key)
      undo.push(before === undefined ? () => map.delete(key) : () => map.set(key, before))
    }
    map.set(key, value)
  }

  /** The inner map of `key`, made if it is missing. */
  function inner<K, V>(of: Map<string, Map<K, V>>, key: string): Map<K, V> {
    const known = of.get(key)
    if (known) return known
    const made = new Map<K, V>()
    set(of, key, made)
    return made
  }

  function changed(task: number): Changed {
    const known = tasks.get(task)
    if (known) return known
    const one: Changed = {
      row: undefined,
      columns: undefined,
      isNew: false,
      events: [],
      records: new Map(),
      snapshot: undefined,
      pushes: false,
    }
    set(tasks, task, one)
    return one
  }

  /** Changes fields, and undoes that. */
  function assign<T extends object>(one: T, change: Partial<T>): void {
    if (undo) {
      const before = { ...one }
      undo.push(() => Object.assign(one, before))
    }
    Object.assign(one, change)
  }

  const gathered: Gathered = {
    isEmpty: () => tasks.size === 0 && messages.size === 0,
    isLarge,
    undoably(work) {
      undo = []
      try {
        return work()
      } catch (error) {
        for (const step of undo.reverse()) step()
        throw error
      } finally {
        undo = undefined
      }
    },
    apply() {
      if (undo?.length) throw new Error('This is read before anything is changed, or in a `write`.')
      for (const [task, { row, columns, isNew, events, records, snapshot, pushes }] of tasks) {
        if (row && isNew) inserts.task.insert(row)
        else if (row && columns) inserts.task.update(row, columns)
        inserts.event.events(task, events)
        // What its calls came to, nobody asks of a task that has ended.
        const ended = isNew && row && isTerminal(row.state)
        if (!ended) for (const [key, value] of records) inserts.record(task, key, value)
        if (pushes) inserts.markDue(task)
        if (snapshot) inserts.event.snapshot(task, snapshot.event, snapshot.artifacts)
      }
      for (const [owner, accepted] of messages) {
        for (const [id, { digest, task }] of accepted) inserts.message(owner, id, digest, task)
      }
      for (const [owner, states] of counts) {
        for (const [state, more] of states) if (more !== 0) inserts.task.count(owner, state, more)
      }
      applied = isLarge() ? new Map() : tasks
      gathered.clear()
    },
    committed(alone) {
      latest = alone ? applied : new Map()
      applied = new Map()
    },
    clear() {
      tasks = new Map()
      messages = new Map()
      counts = new Map()
      size = 0
    },
  }

  return {
    gathered,
    /** Whether the task was made in this turn, so that all there is of it is here. */
    isNew: (task: number): boolean => tasks.get(task)?.isNew ?? false,
    /** The row, to be changed freely; undefined where SQLite has it. */
    row(task: number): TaskRow | undefined {
      const row = tasks.get(task)?.row
      return row && { ...row }
    },
    /** What the last commit made of a task; undefined where it did not touch what is asked for. */
    latest: {
      row(task: number): TaskRow | undefined {
        const row = latest.get(task)?.row
        return row && { ...row }
      },
      snapshot: (task: number): Snapshot | undefined => latest.get(task)?.snapshot,
      /** The events after event `n`, if it has all of them. */
      events(task: number, n: number): LoggedEvent[] | undefined {
        const events = latest.get(task)?.events ?? []
        return events[0] && events[0].n <= n + 1 ? events.filter((event) => event.n > n) : undefined
      },
    },
    rows: (): Iterable<TaskRow> => tasks.values().flatMap(({ row }) => (row ? [row] : [])),
    /** The row belongs to the turn from here on. */
    add: (row: TaskRow): void => assign(changed(row.task), { row, columns: 'all', isNew: true }),
    /** The row belongs to the turn from here on. */
    save(row: TaskRow, columns: 'artifacts' | 'all'): void {
      const one = changed(row.task)
      assign(one, { row, columns: one.columns === 'all' ? 'all' : columns })
    },
    count(owner: string, state: number, more: number): void {
      const states = inner(counts, owner)
      set(states, state, (states.get(state) ?? 0) + more)
    },
    /** How many tasks more the owner has in each state, by its number. */
    counted: (owner: string): ReadonlyMap<number, number> => counts.get(owner) ?? new Map(),
    log(task: number, { n, frame, state }: LoggedEvent, history: Message[] | undefined): void {
      const { events } = changed(task)
      undo?.push(() => events.pop())
      events.push({ n, frame, state, history })
      size += frame.length
    },
    markDue: (task: number): void => assign(changed(task), { pushes: true }),
    events: (task: number): readonly StoredEvent[] => tasks.get(task)?.events ?? [],
    snap(task: number, snapshot: Snapshot): void {
      assign(changed(task), { snapshot })
      size += snapshot.artifacts.length
    },
    snapshot: (task: number): Snapshot | undefined => tasks.get(task)?.snapshot,
    record(task: number, key: string, value: string): void {
      set(changed(task).records, key, value)
      size += value.length
    },
    records: (task: number): ReadonlyMap<string, string> => tasks.get(task)?.records ?? new Map(),
    accept: (owner: string, messageId: string, accepted: Accepted): void =>
      set(inner(messages, owner), messageId, accepted),
    accepted: (owner: string, messageId: string): Accepted | undefined => messages.get(owner)?.get(messageId),
  }
}
