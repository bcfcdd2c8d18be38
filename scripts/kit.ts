// The three agents as processes: started, waited for, killed and started again, for the scripts that need them.
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export const agentNames = ['code-reviewer', 'deployer', 'planner'] as const
export type AgentName = (typeof agentNames)[number]

/** The ports that the documentation names. */
export const documentedPorts: Record<AgentName, number> = {
  planner: 41241,
  'code-reviewer': 41242,
  deployer: 41243,
}

/** The variable that sets the agent's port for the scripts. */
export const portVariable = (name: AgentName): string => `${name.toUpperCase().replace('-', '_')}_PORT`

/** The port of each agent: `PLANNER_PORT`, `CODE_REVIEWER_PORT` and `DEPLOYER_PORT`, else the documented ones. */
export function portsFrom(env: NodeJS.ProcessEnv): Record<AgentName, number> {
  const port = (name: AgentName): number => {
    const variable = portVariable(name)
    const text = env[variable] ?? String(documentedPorts[name])
    if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65536) return Number(text)
    throw new Error(`${variable} must be a port number, and is "${text}".`)
  }
  return { planner: port('planner'), 'code-reviewer': port('code-reviewer'), deployer: port('deployer') }
}

/**
 * What `GRPC_PORT` is for each agent: `PLANNER_GRPC_PORT` and so on, `GRPC_PORT` for all (0 or `off`), else 1000 more than
 * its port.
 */
export function grpcPortsFrom(
  env: NodeJS.ProcessEnv,
  ports: Record<AgentName, number>,
): Record<AgentName, string> {
  const port = (name: AgentName): string =>
    env[portVariable(name).replace('_PORT', '_GRPC_PORT')] ?? env.GRPC_PORT ?? String(ports[name] + 1000)
  return { planner: port('planner'), 'code-reviewer': port('code-reviewer'), deployer: port('deployer') }
}

/** Agents that have a certificate speak TLS alone. */
const schemeFrom = ({ TLS_CERT_FILE }: NodeJS.ProcessEnv) => (TLS_CERT_FILE ? 'https' : 'http')

export interface AgentProcess {
  name: string
  url: string
  child: ChildProcess
  /** Resolves with the exit code or the signal when the process has ended. */
  ended: Promise<number | NodeJS.Signals>
}

/**
 * What Node.js is given before an agent's file where many are started: one that reads TypeScript by itself starts an agent in two
 * thirds of the time that it takes through tsx.
 */
export const quickRunner: readonly string[] = process.features.typescript ? [] : ['scripts/run.mjs']

interface ProcessOptions {
  /** By default that of this process. */
  env?: NodeJS.ProcessEnv | undefined
  /** Where its log goes; a number is an open file. */
  output?: 'inherit' | 'ignore' | 'pipe' | number | undefined
  /** A script that is run instead, and is given the agent's main file as its argument. */
  via?: string | undefined
  /** What Node.js is given before the file; by default it is run as npm runs it. */
  runner?: readonly string[] | undefined
  /** Whether the process can be sent messages, by `child.send`. */
  ipc?: boolean | undefined
}

export interface KitOptions extends ProcessOptions {
  ports: Record<AgentName, number>
}

/** Starts one agent of the three. It answers once `whenHealthy` resolves. */
export function startAgentProcess(
  name: AgentName,
  { ports, env = process.env, ...options }: KitOptions,
): AgentProcess {
  return startMain(`agents/${name}/src/main.ts`, {
    name,
    port: ports[name],
    env: {
      CODE_REVIEWER_URL: `${schemeFrom(env)}://localhost:${ports['code-reviewer']}`,
      DEPLOYER_URL: `${schemeFrom(env)}://localhost:${ports.deployer}`,
      ...env,
      GRPC_PORT: grpcPortsFrom(env, ports)[name],
    },
    ...options,
  })
}

/** Starts the agent whose main file is `main`, from the project's folder. */
export function startMain(
  main: string,
  {
    name,
    port,
    env = process.env,
    output = 'inherit',
    via,
    runner = ['scripts/run.mjs'],
    ipc = false,
  }: ProcessOptions & Pick<AgentProcess, 'name'> & { port: number },
): AgentProcess {
  const child = spawn(process.execPath, [...runner, ...(via ? [via] : []), main], {
    cwd: root,
    env: { ...env, DATA_DIR: resolve(root, env.DATA_DIR ?? 'data'), PORT: String(port) },
    stdio: ['ignore', output, output, ...(ipc ? ['ipc' as const] : [])],
  })
  const ended = new Promise<number | NodeJS.Signals>((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code, signal) => done(code ?? signal ?? 1))
  })
  return { name, url: `${schemeFrom(env)}://localhost:${port}`, child, ended }
}

/** The name of the agent that answers at `url`, or undefined if none does. */
export async function agentAt(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })
    const { agent } = (await response.json()) as { agent?: string }
    return agent
  } catch {
    return undefined
  }
}

/**
 * Resolves when the agent answers.
 * @throws Error when its process ends before that
 */
export async function whenHealthy({
  name,
  url,
  ended,
}: Pick<AgentProcess, 'name' | 'url' | 'ended'>): Promise<void> {
  let end: number | NodeJS.Signals | undefined
  void ended.then((how) => {
    end = how
  })
  while ((await agentAt(url)) !== name) {
    if (end !== undefined) throw new Error(`${name} ended with ${end} before it answered at ${url}.`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Asks the processes to stop, and resolves when all have. */
export async function stopAll(agents: Iterable<AgentProcess>): Promise<void> {
  const all = [...agents]
  for (const { child } of all) child.kill('SIGTERM')
  await Promise.all(all.map(({ ended }) => ended))
}
