// How a build gets into an environment's folder, so that a cut at any moment leaves it as it was or done:
// written ahead in pending.json, unpacked aside, moved into releases/, switched to in one move, journaled.
import { hash } from 'node:crypto'
import { readlink, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildFile, buildNameIn } from './build.ts'
import type { Builds } from './builds.ts'
import { dropAside, makeFolder, missing, move, pointTo, readIfThere, remove, replaceFile } from './disk.ts'
import { writeTree } from './files.ts'
import { addToJournal, type JournalLine, readJournal } from './journal.ts'

/** A deploy that was approved. */
export interface Order {
  build: string
  /** As it was approved: an archive with another one is refused. */
  checksum: string
  environment: string
  /** Who approved, and when (ISO 8601). */
  approval: { by: string; at: string }
  taskId: string
  /** A second order with the same key is the same deploy. */
  idempotencyKey: string
  /** Stops the deploy until it has switched to the new release; from then on it is finished. */
  signal: AbortSignal
}

/** The folder of one environment, `<data>/environments/<name>`. */
export interface EnvironmentFolder {
  data: string
  name: string
}

const pathsIn = ({ data, name }: EnvironmentFolder) => {
  const folder = join(data, 'environments', name)
  return {
    releases: join(folder, 'releases'),
    unpacking: join(folder, 'releases', '.unpacking'),
    current: join(folder, 'current'),
    pending: join(folder, 'pending.json'),
    journal: join(folder, 'journal.jsonl'),
  }
}

/**
 * Does the deploy, in a folder that is settled and has no line of it yet; gives its journal line.
 * Only one call for an environment may run at a time.
 * @throws DeployError when the archive is not what was approved, and the signal's reason; nothing was changed then
 */
export async function deployInto(
  environment: EnvironmentFolder,
  order: Order,
  builds: Pick<Builds, 'read'>,
  now: () => number,
): Promise<JournalLine> {
  const { build, checksum, approval, taskId, idempotencyKey, signal } = order
  signal.throwIfAborted()
  const files = await builds.read({ build, checksum })
  const paths = pathsIn(environment)
  await makeFolder(paths.releases)
  const release = `${build}-${hash('sha256', idempotencyKey).slice(0, 12)}`
  const line: JournalLine = {
    build,
    environment: environment.name,
    checksum,
    previousBuild: await currentBuild(paths.current),
    approvedBy: approval.by,
    approvedAt: approval.at,
    deployedAt: new Date(now()).toISOString(),
    release: `environments/${environment.name}/releases/${release}`,
    taskId,
    idempotencyKey,
  }
  let failure: unknown
  try {
    await replaceFile(paths.pending, `${JSON.stringify(line)}\n`)
    await writeTree(paths.unpacking, files)
    signal.throwIfAborted()
    await move(paths.unpacking, join(paths.releases, release))
    signal.throwIfAborted()
    await pointTo(paths.current, `releases/${release}`)
  } catch (error) {
    failure = error
  }
  const done = (await settle(environment)).find((one) => one.idempotencyKey === idempotencyKey)
  if (done) return done
  throw failure
}

/**
 * Brings the folder in order after a deploy that ended anywhere: it is journaled if `current` points to its release, and its
 * traces are removed if not. Gives the journal.
 */
export async function settle(environment: EnvironmentFolder): Promise<JournalLine[]> {
  const paths = pathsIn(environment)
  await dropAside(paths.pending)
  await dropAside(paths.current)
  const lines = await readJournal(paths.journal)
  const text = await readIfThere(paths.pending)
  if (text === undefined) return lines

  const pending = JSON.parse(text) as JournalLine
  const release = basename(pending.release)
  if (lines.some(({ idempotencyKey }) => idempotencyKey === pending.idempotencyKey)) {
    // Only pending.json was left.
  } else if (basename(await currentTarget(paths.current)) === release) {
    await addToJournal(paths.journal, pending)
    lines.push(pending)
  } else {
    await rm(paths.unpacking, { recursive: true, force: true })
    // Out of sight first, so that no half of a release ever stands in releases/.
    await rename(join(paths.releases, release), paths.unpacking).catch(missing(undefined))
    await rm(paths.unpacking, { recursive: true, force: true })
  }
  await remove(paths.pending)
  return lines
}

const currentTarget = (current: string) => readlink(current).catch(missing(''))

async function currentBuild(current: string): Promise<string | null> {
  const text = await readIfThere(join(current, buildFile))
  return text === undefined ? null : buildNameIn(text)
}
