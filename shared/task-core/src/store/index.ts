// The store: one SQLite file with the log of events and the tasks' rows, committed together.
import type { World } from '../world.ts'
import { createAuthorizationReader, createAuthorizationWriter } from './authorizations.ts'
import { createBatch } from './batch.ts'
import { createCounts } from './counts.ts'
import { aboutFile, type Databases, type Db, openDatabases, type Synchronous } from './database.ts'
import { createEventReader, createEventWriter, type PageLimits } from './events.ts'
import { createLister } from './list.ts'
import { createLogSync, type LogSync } from './log-sync.ts'
import { createPurge } from './purge.ts'
import { createPushConfigReader, createPushConfigWriter } from './push-configs.ts'
import { createMessages, createRecords, createRecordWriter } from './records.ts'
import { createTaskReader, createTaskWriter } from './tasks.ts'
import { createTurn } from './turn.ts'

export type Store = ReturnType<typeof openStore>

type Functions = { [name: string]: (...given: unknown[]) => unknown }

export interface StoreOptions {
  synchronous?: Synchronous | undefined
  /** Told how long each commit took, in seconds. */
  onCommit?: ((seconds: number) => void) | undefined
  /** Told when the disk does not take what was committed, which it is asked for again and again then. */
  onSyncFailure?: ((error: Error) => void) | undefined
}

/**
 * Opens the store in `file`. `committed` is what clients may see; `writing` is the writer's view, with what the open turn has
 * made: it is changed inside `append` or `write` alone.
 * @throws Error that names the file, as `openDatabases` does
 */
export function openStore(
  file: string,
  world: World,
  { synchronous = 'NORMAL', onCommit, onSyncFailure }: StoreOptions = {},
) {
  const databases = openDatabases(file, synchronous)
  let log: LogSync | undefined
  const committed = (seconds: number) => {
    onCommit?.(seconds)
    log?.committed()
  }
  const close = () => {
    log?.close()
    databases.close()
  }
  try {
    if (synchronous !== 'FULL') log = createLogSync(file, { onFailure: onSyncFailure }) // FULL syncs at each commit
    return storeOver({ ...databases, close }, world, committed)
  } catch (error) {
    close()
    throw aboutFile(error, file)
  }
}

function storeOver({ writer, reader, close }: Databases, world: World, onCommit: (seconds: number) => void) {
  const turn = createTurn(writer)
  const batch = createBatch(writer, world, turn.gathered, onCommit)
  /** Changes SQLite at once: for use in `write` alone, with everything that was gathered put there before. */
  const direct = <All extends object>(all: All, changes = Object.keys(all)): All =>
    Object.fromEntries(
      Object.entries(all).map(([name, change]) => [
        name,
        changes.includes(name)
          ? (...given: unknown[]) => {
              batch.inWrite()
              batch.settle()
              return change(...given)
            }
          : change,
      ]),
    ) as All
  /**
   * Reads what is committed: on the writer's connection, which has the pages at hand, or on the other one while the writer's has something
   * that is not committed.
   */
  const committed = <Reads extends object>(create: (db: Db) => Reads): Reads => {
    const [mine, beside] = [create(writer), create(reader)] as [Functions, Functions]
    const names = Object.keys(mine)
    return Object.fromEntries(
      names.map((name) => [
        name,
        (...given: unknown[]) => (batch.reading() ? beside : mine)[name]!(...given),
      ]),
    ) as Reads
  }
  const tasks = committed(createTaskReader)
  const events = committed(createEventReader)
  const authorizations = createAuthorizationReader(writer)
  const checkWritable = writer.prepare(
    'INSERT INTO writable (one, checks) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET checks = checks + 1',
  )
  return {
    append: batch.append,
    write: batch.write,
    together: batch.together,
    isLarge: batch.isLarge,
    stored: batch.stored,
    afterCommit: batch.afterCommit,
    committed: {
      tasks: { ...tasks, get: (task: number) => turn.latest.row(task) ?? tasks.get(task) },
      events: {
        ...events,
        snapshot: (task: number) => turn.latest.snapshot(task) ?? events.snapshot(task),
        after: (task: number, n: number, limits: PageLimits) =>
          turn.latest.events(task, n)?.slice(0, limits.most) ?? events.after(task, n, limits),
      },
      records: committed(createRecords),
      authorizations: committed(createAuthorizationReader),
      list: committed(createLister),
      pushConfigs: committed(createPushConfigReader),
    },
    writing: {
      tasks: createTaskWriter(writer, turn, batch.settle),
      events: createEventWriter(writer, turn),
      records: createRecordWriter(writer, turn),
      messages: createMessages(writer, turn),
      purge: direct(createPurge(writer), ['remove']),
      authorizations: {
        ...authorizations,
        ...direct(createAuthorizationWriter(writer)),
        hasLive: (task: number) => !turn.isNew(task) && authorizations.hasLive(task),
      },
      pushConfigs: {
        ...createPushConfigReader(writer),
        ...direct(createPushConfigWriter(writer)),
        /** Notes that the task has had an event. */
        markDue: turn.markDue,
      },
    },
    /** What is kept, in numbers. */
    counts: createCounts(reader),
    /** @throws StoreError if nothing can be written */
    checkWritable: () => batch.write(() => void checkWritable.run()),
    /** Commits what is open and closes the file. */
    close() {
      batch.close()
      close()
    },
  }
}

export { type AuditEntry, openAudit } from './audit.ts'
export type { Authorization } from './authorizations.ts'
export { StoreError } from './batch.ts'
export { aboutFile, isInUse, isSqliteError, type Synchronous } from './database.ts'
export type { EventReader, LoggedEvent, StoredEvent } from './events.ts'
export type { NewPushConfig, PushConfigRow, PushVersion } from './push-configs.ts'
export type { TaskRow } from './tasks.ts'
