// Commits together what is written in one turn of the event loop; nobody sees a write before its commit.
import { outside } from '../telemetry/index.ts'
import type { World } from '../world.ts'
import { type Db, isSqliteError } from './database.ts'

/** A commit that the disk refused: nothing of it was stored. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export interface Batch {
  /**
   * Runs `work` at once, in the turn's transaction, and resolves with its result when that is committed. If `work` throws, what it
   * wrote is undone and the promise rejects with its error; if the commit fails, it rejects with StoreError.
   */
  write<T>(work: () => T): Promise<T>
  /** Calls `then` right after the commit that is being prepared, before any `write` resolves. For use inside `work`. */
  afterCommit(then: () => void): void
  /** Commits what is open, and leaves every later write pending: the process is about to end. */
  close(): void
}

/** `onCommit` is told how long each commit took, in seconds. */
export function createBatch(db: Db, world: World, onCommit?: (seconds: number) => void): Batch {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const save = db.prepare('SAVEPOINT work')
  const keep = db.prepare('RELEASE work')
  const undo = db.prepare('ROLLBACK TO work')
  let open: { resolve(): void; reject(error: StoreError): void; promise: Promise<void> } | undefined
  let effects: (() => void)[] = []
  let closed = false

  function flush(): void {
    if (!open) return
    const ending = open
    const then = effects
    open = undefined
    effects = []
    try {
      world.moment('commit:before')
      const began = onCommit && performance.now()
      commit.run()
      if (onCommit) onCommit((performance.now() - began!) / 1000)
    } catch (cause) {
      if (db.inTransaction) rollback.run()
      ending.reject(new StoreError('The store could not commit.', { cause }))
      return
    }
    world.moment('commit:after')
    for (const effect of then) effect()
    ending.resolve()
  }

  function start(): Promise<void> {
    if (!open) {
      try {
        begin.run()
      } catch (cause) {
        throw new StoreError('The store could not begin.', { cause })
      }
      open = Promise.withResolvers<void>()
      open.promise.catch(() => {}) // each write reports it; without writers left nobody needs to
      setImmediate(outside, flush) // what follows from the commit is not the work of whoever wrote first
    }
    // A full disk makes SQLite undo the whole transaction: what is written now would be committed by itself.
    if (!db.inTransaction) throw new StoreError('The store has undone what this turn wrote.')
    return open.promise
  }

  async function write<T>(work: () => T): Promise<T> {
    if (closed) return new Promise<never>(() => {})
    const committed = start()
    const before = effects.length
    save.run()
    let result: T
    try {
      result = work()
      keep.run()
    } catch (error) {
      effects.length = before
      if (db.inTransaction) {
        undo.run()
        keep.run()
      }
      throw isSqliteError(error) ? new StoreError('The store could not write.', { cause: error }) : error
    }
    await committed
    return result
  }

  return {
    write,
    afterCommit: (then) => void effects.push(then),
    close() {
      flush()
      closed = true
    },
  }
}
