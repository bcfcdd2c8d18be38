// Copies the agents' data while they run, and puts a copy back while they do not: `npm run backup -- <folder>`, `npm run restore -- <folder>`.
import { existsSync } from 'node:fs'
import { cp, readdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isInUse, makeFolder } from '@a2a-kit/task-core'
import Database from 'better-sqlite3'
import { printHelp, readCommandLine } from './command-line.ts'

const dataDir = resolve(process.env.DATA_DIR ?? 'data')

const help = `npm run backup -- <new folder>  copies ${dataDir} into it, also while the agents run
npm run restore -- <folder>     puts such a copy back, while they do not run, and keeps what was there

  --help  this text

Environment: DATA_DIR (data).`

const isDatabase = (name: string) => name.endsWith('.db')
/** Belongs to an open database, or is a log: not part of a copy. */
const isTransient = (name: string) => /\.(db-wal|db-shm|db\.lock|log)$/.test(name)

/** A database is copied by SQLite, so that the copy is whole while the agent writes; everything else is files. */
async function backup(to: string): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} is there already: name a new folder.`)
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => {
    throw new Error(`There is no data in ${dataDir}.`)
  })
  const unfinished = `${to}.unfinished`
  makeFolder(unfinished)
  // The databases first: what a recorded step did on disk is then in the copy too.
  for (const { name } of entries.filter(({ name }) => isDatabase(name))) {
    const database = new Database(join(dataDir, name), { readonly: true })
    await database.backup(join(unfinished, name))
    database.close()
    console.log(`copied ${name}`)
  }
  for (const entry of entries.filter(({ name }) => !isDatabase(name) && !isTransient(name))) {
    const { name } = entry
    await cp(join(dataDir, name), join(unfinished, name), { recursive: true, verbatimSymlinks: true })
    console.log(`copied ${name}${entry.isDirectory() ? '/' : ''}`)
  }
  await rename(unfinished, to)
  console.log(`The copy is ${to}.`)
}

async function restore(from: string): Promise<void> {
  const names = await readdir(from).catch(() => {
    throw new Error(`There is no copy in ${from}.`)
  })
  if (!names.some(isDatabase)) throw new Error(`${from} holds no database: it is not a copy.`)
  const used = (await readdir(dataDir).catch(() => []))
    .filter(isDatabase)
    .find((name) => isInUse(join(dataDir, name)))
  if (used) throw new Error(`${join(dataDir, used)} is in use: stop the agents first.`)
  if (existsSync(dataDir)) {
    const aside = `${dataDir}.before-${new Date().toISOString().replace(/\W/g, '')}`
    await rename(dataDir, aside)
    console.log(`What was in ${dataDir} is now in ${aside}.`)
  }
  makeFolder(dirname(dataDir))
  await cp(from, dataDir, { recursive: true, verbatimSymlinks: true })
  console.log(`${dataDir} is as the copy was.`)
}

const [verb, ...args] = process.argv.slice(2)
try {
  const { values, positionals } = readCommandLine(`npm run ${verb}`, args, {}, { words: true })
  const [folder, ...more] = positionals
  if (values.help) printHelp(help)
  else if (!folder || more.length > 0) throw new Error(`Name one folder.\n\n${help}`)
  else await (verb === 'backup' ? backup : restore)(resolve(folder))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
