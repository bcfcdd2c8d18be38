// Prints who asked for which approvals, who decided, and what they were used for: `npm run audit`, also while the agents run.
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type AuditEntry, openAudit } from '@a2a-kit/task-core'
import { printHelp, readCommandLine } from './command-line.ts'

const dataDir = resolve(process.env.DATA_DIR ?? 'data')

const help = `npm run audit                          prints the audit log of every agent in ${dataDir}
npm run audit -- --agent deployer      of one agent
npm run audit -- --task <task id>      of one task
npm run audit -- --since 2026-10-06    from a day or a time (ISO 8601, UTC) on
npm run audit -- --json                each entry as a line of JSON, with the operation whole

  --help  this text

Environment: DATA_DIR (data).`

const options = {
  agent: { type: 'string' },
  task: { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** A line that shows what others wrote, and lets none of it act on a terminal or look like another line. */
const safe = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`)

/** Who did it; what time did, nobody did. */
const actor = ({ action, requester, by }: AuditEntry): string =>
  action === 'asked' ? `for ${requester}` : by === null ? '' : `by ${by}`

function lineOf(agent: string, entry: AuditEntry): string {
  const { at, action, taskId, digest, operation, reason } = entry
  const words = [
    new Date(at).toISOString(),
    agent,
    action,
    `task ${taskId}`,
    `request ${digest.slice(0, 12)}`,
    actor(entry),
    ...(reason ? [`"${reason}"`] : []),
    ...(action === 'asked' ? [JSON.stringify(operation)] : []),
  ]
  return safe(words.filter(Boolean).join('  '))
}

function readSince(text: string | undefined): number {
  const since = text === undefined ? 0 : Date.parse(text)
  if (Number.isNaN(since))
    throw new Error(`--since must be a day or a time such as 2026-10-06T09:00:00Z, and is "${text}".`)
  return since
}

async function agentsIn(folder: string, wanted: string | undefined): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [] as string[]))
    .filter((name) => name.endsWith('.db'))
    .map((name) => name.slice(0, -'.db'.length))
  if (names.length === 0) throw new Error(`There is no data in ${folder}.`)
  if (wanted !== undefined && !names.includes(wanted)) {
    throw new Error(`There is no data of ${wanted} in ${folder}, only of ${names.join(', ')}.`)
  }
  return wanted === undefined ? names : [wanted]
}

try {
  const { values } = readCommandLine('npm run audit', process.argv.slice(2), options)
  if (values.help) printHelp(help)
  else {
    const asked = { taskId: values.task, since: readSince(values.since) }
    let printed = 0
    for (const agent of await agentsIn(dataDir, values.agent)) {
      const audit = openAudit(join(dataDir, `${agent}.db`))
      for (const entry of audit.entries(asked)) {
        console.log(values.json ? JSON.stringify({ agent, ...entry }) : lineOf(agent, entry))
        printed += 1
      }
      audit.close()
    }
    if (printed === 0) console.error('Nothing was asked for.')
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
