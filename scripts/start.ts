// Runs the three agents in the foreground until Ctrl-C: `npm start`.
import {
  agentAt,
  agentNames,
  portsFrom,
  portVariable,
  startAgentProcess,
  stopAll,
  whenHealthy,
} from './kit.ts'

const help = `npm start: runs planner, code-reviewer and deployer until Ctrl-C.

Environment: PLANNER_PORT (41241), CODE_REVIEWER_PORT (41242), DEPLOYER_PORT (41243), the same with GRPC_PORT at the end
(1000 more), DATA_DIR (data), LOG_LEVEL (info), LOG_FORMAT (pretty), and what else the README lists.`

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  console.log(help)
  process.exit(0)
}

const ports = portsFrom(process.env)
for (const name of agentNames) {
  const url = `http://localhost:${ports[name]}`
  const running = await agentAt(url)
  if (running === undefined) continue
  console.error(`${running} runs already at ${url}. Stop it, or set ${portVariable(name)}.`)
  process.exit(1)
}
const env = { LOG_FORMAT: 'pretty', ...process.env }
const agents = agentNames.map((name) => startAgentProcess(name, { ports, env }))

let stopping = false
async function stop(code: number): Promise<never> {
  stopping = true
  await stopAll(agents)
  process.exit(code)
}
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

for (const { name, ended } of agents) {
  void ended.then((how) => {
    if (stopping) return
    console.error(`${name} ended with ${how}; stopping the others.`)
    void stop(1)
  })
}

try {
  await Promise.all(agents.map(whenHealthy))
  const addresses = agents.map(({ name, url }) => `  ${name.padEnd(14)} ${url}`).join('\n')
  console.log(
    `\nThe kit runs. Ctrl-C stops it; \`npm run demo\` in another terminal uses it.\n${addresses}\n`,
  )
} catch (error) {
  if (!stopping) throw error
}
