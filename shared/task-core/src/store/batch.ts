// Commits together what is written in one turn of the event loop; nobody sees a write before its commit.
import { outside } from '../telemetry/index.ts'
import type { World } from '../world.ts'
import { type Db, isSqliteError } from './database.ts'

/** A commit that the disk refused: nothing of it was stored. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Changes that are gathered in memory, to be put into SQLite before the commit. */
export interface Gathered {
  isEmpty(): boolean
  /** Whether they are too large to wait for the end of the turn in memory. */
  isLarge(): boolean
  /** Does `work`; if it throws, what it changed is as before. */
  undoably<T>(work: () => T): T
  /** Puts all of them into SQLite. */
  apply(): void
  /** Forgets them, where they are not to be committed. */
  clear(): void
  /** What was put there is committed; `alone` if nothing else was. */
  committed(alone: boolean): void
}

export interface Batch {
  /**
   * Runs `work` at once, which changes nothing but what is gathered, and returns its result: `stored` tells when that is committed.
   * If `work` throws, so does this, and nothing was changed; it throws StoreError when the store is closed.
   */
  append<T>(work: () => T): T
  /**
   * Runs `work` at once, which may change anything, and resolves with its result when that is committed. If `work` throws, what it
   * wrote is undone and the promise rejects with its error; if the commit fails, it rejects with StoreError.
   */
  write<T>(work: () => T): Promise<T>
  /**
   * Resolves when all that this turn of the event loop has brought in is taken in. What goes on then goes on together, step by step, which is
   * far quicker than one after the other, is committed together, and is answered together.
   */
  together(): Promise<void>
  /** Whether so much is gathered that who has more should wait until it is `stored`. */
  isLarge(): boolean
  /** Resolves when all that was written so far is committed; rejects with StoreError if it could not be. */
  stored(): Promise<void>
  /**
   * Calls `then` right after the commit that is being prepared, before any `write` resolves, or `lost` with the reason if it fails. If none
   * is being prepared, it calls `then` at once.
   */
  afterCommit(then: () => void, lost?: (failure: StoreError) => void): void
  /** Puts what is gathered into the open transaction, for what reads it there. */
  settle(): void
  /**
   * For what is about to read: in the turn's transaction, since every read outside of one locks the file for itself.
   * @returns whether that transaction holds something which is not committed, and which only the writer may see
   */
  reading(): boolean
  /** @throws Error unless a `write` is under way: for changes that are not gathered */
  inWrite(): void
  /** Commits what is open, and leaves every later `write` pending: the process is about to end. */
  close(): void
}

/** A turn of the event loop in which something is read or written. */
interface Turn {
  ends: PromiseWithResolvers<void>
  /** Whether something is to be committed, */
  writes: boolean
  /** SQLite's transaction is one that writes, */
  locked: boolean
  /** something is in it by now, */
  applied: boolean
  /** and some of that was not gathered. */
  direct: boolean
}

interface Effect {
  then: () => void
  lost: ((failure: StoreError) => void) | undefined
}

/** `onCommit` is told how long each commit took, in seconds. */
export function createBatch(
  db: Db,
  world: World,
  gathered: Gathered,
  onCommit?: (seconds: number) => void,
): Batch {
  const beginReading = db.prepare('BEGIN')
  const beginWriting = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  const save = db.prepare('SAVEPOINT work')
  const keep = db.prepare('RELEASE work')
  const undo = db.prepare('ROLLBACK TO work')
  let turn: Turn | undefined
  let gate: Promise<void> | undefined
  let effects: Effect[] = []
  let writing = false
  let closed = false

  /**
   * Ends the turn. Never called among promises that settle: who goes on from a commit, and who looked and found nothing, gets as far as it can
   * without another commit in between.
   */
  function flush(): void {
    if (!turn) return
    const ending = turn
    const then = effects
    try {
      if (ending.writes) world.moment('commit:before')
      settle()
      const began = performance.now()
      if (ending.applied || db.inTransaction) commit.run()
      if (ending.writes) onCommit?.((performance.now() - began) / 1000)
    } catch (cause) {
      turn = undefined
      effects = []
      gathered.clear()
      if (db.inTransaction) rollback.run()
      const failure = cause instanceof StoreError ? cause : storeError('could not commit', cause)
      ending.ends.reject(failure)
      for (const { lost } of then) lost?.(failure)
      return
    }
    turn = undefined
    effects = []
    if (ending.applied) gathered.committed(!ending.direct)
    if (ending.writes) world.moment('commit:after')
    for (const effect of then) effect.then()
    ending.ends.resolve()
  }

  function open(writes: boolean): Turn {
    if (!turn) {
      const begin = writes ? beginWriting : beginReading
      begin.run()
      turn = { ends: Promise.withResolvers(), writes, locked: writes, applied: false, direct: false }
      turn.ends.promise.catch(() => {}) // each write reports it; without writers left nobody needs to
      setImmediate(outside, flush) // what follows from the commit is not the work of whoever wrote first
    }
    turn.writes ||= writes
    return turn
  }

  function together(): Promise<void> {
    gate ??= new Promise((resolve) => {
      setImmediate(outside, () => {
        gate = undefined
        resolve()
        // The tick comes when whoever waited has gone as far as it gets without the commit.
        queueMicrotask(() => process.nextTick(flush))
      })
    })
    return gate
  }

  function settle(): void {
    if (gathered.isEmpty()) return
    apply()
    try {
      gathered.apply()
    } catch (error) {
      // Some of it may be in the transaction by now, and must not be committed without the rest. In a `write`, its savepoint sees to that.
      if (!writing && db.inTransaction) rollback.run()
      throw error
    }
  }

  /** Before something is put into SQLite. A transaction that has read does not wait for whoever locks the file: another one does. */
  function apply(): void {
    const opened = open(true)
    if (!opened.locked) {
      if (db.inTransaction) commit.run()
      beginWriting.run()
      opened.locked = true
    }
    opened.applied = true
    // A full disk makes SQLite undo the whole transaction, as `settle` does: what is written now would be committed by itself.
    if (!db.inTransaction) throw new StoreError('The store has undone what this turn wrote.')
  }

  function append<T>(work: () => T): T {
    if (closed) throw new StoreError('The store is closed.')
    const before = effects.length
    try {
      open(true)
      const result = gathered.undoably(work)
      if (gathered.isLarge()) process.nextTick(outside, flush)
      return result
    } catch (error) {
      effects.length = before
      throw asStoreError(error)
    }
  }

  async function write<T>(work: () => T): Promise<T> {
    if (closed) return new Promise<never>(() => {})
    const result = direct(work)
    await turn!.ends.promise
    return result
  }

  /** In a savepoint of its own, after all that was gathered by others. Where there is none, that stays gathered for the end of the turn. */
  function direct<T>(work: () => T): T {
    try {
      settle()
      apply()
      save.run()
    } catch (error) {
      throw asStoreError(error)
    }
    turn!.direct = true
    writing = true
    const before = effects.length
    try {
      const result = work()
      gathered.apply()
      keep.run()
      return result
    } catch (error) {
      effects.length = before
      gathered.clear()
      if (db.inTransaction) {
        undo.run()
        keep.run()
      }
      throw asStoreError(error)
    } finally {
      writing = false
    }
  }

  return {
    append,
    write,
    together,
    isLarge: gathered.isLarge,
    settle,
    stored: async () => (turn?.writes ? turn.ends.promise : undefined),
    reading: () => open(false).applied,
    afterCommit(then, lost) {
      if (turn) effects.push({ then, lost })
      else then()
    },
    inWrite() {
      if (!writing) throw new Error('This is written by `write` alone.')
    },
    close() {
      flush()
      closed = true
    },
  }
}

const storeError = (what: string, cause: unknown) => new StoreError(`The store ${what}.`, { cause })

const asStoreError = (error: unknown): unknown =>
  isSqliteError(error) ? storeError('could not write', error) : error
