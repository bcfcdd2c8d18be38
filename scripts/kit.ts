// The three agents as processes: started, waited for, killed and started again, for the scripts that need them.
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AgentName, addressesFor, localUrl } from './addresses.ts'

export * from './addresses.ts'
export { agentAt, whenHealthy } from './answering.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface AgentProcess {
  name: string
  url: string
  child: ChildProcess
  /** Resolves with the exit code or the signal when the process has ended. */
  ended: Promise<number | NodeJS.Signals>
}

interface ProcessOptions {
  /** By default that of this process. */
  env?: NodeJS.ProcessEnv | undefined
  /** Where its log goes; a number is an open file. */
  output?: 'inherit' | 'ignore' | 'pipe' | number | undefined
  /** A script that is run instead, and is given the agent's main file as its argument. */
  via?: string | undefined
  /** Whether the process can be sent messages, by `child.send`. */
  ipc?: boolean | undefined
}

export interface KitOptions extends ProcessOptions {
  ports: Record<AgentName, number>
}

/**
 * Starts one agent of the three. It answers once `whenHealthy` resolves.
 * @throws Error if one public address is set for all three
 */
export function startAgentProcess(
  name: AgentName,
  { ports, env = process.env, ...options }: KitOptions,
): AgentProcess {
  return startMain(`agents/${name}/src/main.ts`, {
    name,
    port: ports[name],
    env: { ...env, ...addressesFor(env, name, ports) },
    ...options,
  })
}

/** Starts the agent whose main file is `main` as npm runs it, from the project's folder. */
export function startMain(
  main: string,
  {
    name,
    port,
    env = process.env,
    output = 'inherit',
    via,
    ipc = false,
  }: ProcessOptions & Pick<AgentProcess, 'name'> & { port: number },
): AgentProcess {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...(via ? [via] : []), main], {
    cwd: root,
    env: { ...env, DATA_DIR: resolve(root, env.DATA_DIR ?? 'data'), PORT: String(port) },
    stdio: ['ignore', output, output, ...(ipc ? ['ipc' as const] : [])],
  })
  const ended = new Promise<number | NodeJS.Signals>((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code, signal) => done(code ?? signal ?? 1))
  })
  return { name, url: localUrl(env, port), child, ended }
}

/** Asks the processes to stop, and resolves when all have. */
export async function stopAll(agents: Iterable<AgentProcess>): Promise<void> {
  const all = [...agents]
  for (const { child } of all) child.kill('SIGTERM')
  await Promise.all(all.map(({ ended }) => ended))
}
