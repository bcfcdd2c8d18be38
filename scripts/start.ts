// Runs the three agents in the foreground until Ctrl-C: `npm start`.
import { printHelp, readCommandLine } from './command-line.ts'
import {
  type AgentName,
  agentAt,
  agentNames,
  localUrl,
  portsFrom,
  portVariable,
  startAgentProcess,
  stopAll,
  whenHealthy,
} from './kit.ts'
import { whatRuns } from './start/what-runs.ts'

const help = `npm start: runs planner, code-reviewer and deployer until Ctrl-C.

  --help  this text

Environment: PLANNER_PORT (41241), CODE_REVIEWER_PORT (41242), DEPLOYER_PORT
(41243), the same with GRPC_PORT at the end (1000 more), with PUBLIC_URL
(http://localhost:<port>) and with GRPC_PUBLIC_URL, DATA_DIR (data),
LOG_LEVEL (info), LOG_FORMAT (pretty), and what else the README lists.`

/**
 * Resolves when all agents have stopped, with the exit code.
 * @throws Error if the command line, a port or an address is wrong, or agents answer at the ports
 */
async function start(args: string[]): Promise<number> {
  if (readCommandLine('npm start', args, {}).values.help) {
    printHelp(help)
    return 0
  }
  const ports = portsFrom(process.env)
  await complainOfOthers(ports)
  const env = { LOG_FORMAT: 'pretty', ...process.env }
  const agents = agentNames.map((name) => startAgentProcess(name, { ports, env }))
  const stopped = Promise.withResolvers<number>()
  let stopping = false

  function stop(code: number): void {
    if (stopping) return
    stopping = true
    stopAll(agents).then(() => stopped.resolve(code), stopped.reject)
  }

  process.on('SIGINT', () => stop(0))
  process.on('SIGTERM', () => stop(0))
  onLostShell(() => stop(0))
  for (const { name, ended } of agents) {
    void ended.then((how) => {
      if (stopping) return
      console.error(`${name} ended with ${how}; stopping the others.`)
      stop(1)
    })
  }
  Promise.all(agents.map(whenHealthy)).then(
    () => stopping || console.log(`\n${whatRuns(process.env, ports)}\n`),
    (error) => stopping || stopped.reject(error),
  )
  return stopped.promise
}

/** Whoever starts a second kit has to move all of it, so that it names all ports that are taken. */
async function complainOfOthers(ports: Record<AgentName, number>): Promise<void> {
  const lines = await Promise.all(
    agentNames.map(async (name) => {
      const url = localUrl(process.env, ports[name])
      const running = await agentAt(url)
      return running === undefined
        ? []
        : [`  ${url} answers as ${running}; ${portVariable(name)} sets another port`]
    }),
  )
  if (lines.flat().length === 0) return
  throw new Error(
    `Agents answer at the ports already, of this kit or of another on this machine:\n\n${lines.flat().join('\n')}

Stop them, or set other ports. \`npm run demo\` and \`npm run tutorial\` use agents that run.`,
  )
}

/** SIGTERM to npm ends the shell between npm and this process, and this process hears nothing of it. */
function onLostShell(lost: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  setInterval(() => process.ppid === shell || lost(), 500).unref()
}

start(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
