// Runs an agent as a process: configuration from the environment, logs, and a clean stop on a signal.
import { type Configuration, readConfiguration } from './configuration/index.ts'
import type { Agent } from './define-agent.ts'
import { type AgentOptions, startAgent } from './runtime.ts'
import { createLog } from './telemetry/log.ts'
import { realWorld, type World } from './world.ts'

export interface ServeOptions {
  /** The port where `PORT` is not set. */
  port: number
  /** The port for gRPC where `GRPC_PORT` is not set; without either there is no gRPC. */
  grpcPort?: number
  world?: World
  /** What the environment does not set; its settings win over the environment's. */
  options?: () => Pick<AgentOptions, 'capabilities' | 'legacyCard' | 'settings'>
}

/** How long a stop may take before the process ends all the same, in ms. */
const patience = 4000

/** Starts the agent that `make` makes from its configuration. On failure prints one line and ends the process with 1. */
export async function serve(
  make: (configuration: Configuration) => Agent | Promise<Agent>,
  { port, grpcPort, world = realWorld, options: more = () => ({}) }: ServeOptions,
): Promise<void> {
  let name = ''
  try {
    const configuration = readConfiguration(process.env, { port, grpcPort })
    const agent = await make(configuration)
    name = agent.card.name
    const { logLevel: level, logFormat: format, ...rest } = configuration
    const log = createLog({ name, level, format })
    const { settings, ...own } = more()
    const all = { ...rest, ...own, settings: { ...rest.settings, ...settings } }
    const running = await startAgent(agent, { ...all, log, world })
    const stop = (signal: string) => {
      log.info({ signal }, `${agent.card.name} stops`)
      setTimeout(() => process.exit(1), patience).unref()
      running.close().then(() => process.exit(0))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  } catch (error) {
    process.stderr.write(`Cannot start${name && ` ${name}`}: ${explain(error, name)}\n`)
    process.exit(1)
  }
}

function explain(error: unknown, name: string): string {
  const { code, port, message, variable = 'PORT' } = error as Partial<Record<string, string>>
  if (code === 'EADDRINUSE') {
    const forScripts = `${name.toUpperCase().replaceAll('-', '_')}_${variable}`
    return `port ${port} is taken. Stop what listens there, or set ${variable} (${forScripts} for npm start and the demo).`
  }
  return message ?? String(error)
}
