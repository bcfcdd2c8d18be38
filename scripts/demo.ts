// Ships the fixture's change with the three agents and shows the story as it happens: `npm run demo`.
import { printHelp } from './command-line.ts'
import { demoAgents } from './demo/agents.ts'
import { help, type Options, readOptions } from './demo/options.ts'
import { showResults } from './demo/results.ts'
import { createScreen } from './demo/screen.ts'
import { ship } from './demo/ship.ts'

async function demo(options: Options): Promise<number> {
  const screen = createScreen()
  screen.say(screen.style('bold', 'Three A2A agents ship a change, and wait where they must.'))
  screen.waiting('the agents start')
  const agents = await demoAgents(screen.say)
  const stop = async (code: number) => {
    screen.end()
    await agents.stop()
    process.exit(code)
  }
  process.once('SIGINT', () => void stop(130))
  process.once('SIGTERM', () => void stop(143))
  try {
    if (options.kill && agents.found) {
      throw new Error('--kill needs agents that the demo starts itself. Stop those that run, then try again.')
    }
    const how = agents.found
      ? 'They run already.'
      : `They are started for this; their log is ${agents.logFile}.`
    screen.say(`
  planner        ${agents.urls.planner}  is asked to ship a change, and works with the two others
  code-reviewer  ${agents.urls['code-reviewer']}  reviews a diff, and asks for its base branch
  deployer       ${agents.urls.deployer}  deploys a build, once an operator has approved it
  ${how}

Each line below is a message, or the state that an agent's task enters (TASK_STATE_...).
`)
    const task = await ship(agents, options, screen)
    if (task) showResults(screen, task)
    return 0
  } finally {
    screen.end()
    await agents.stop()
  }
}

/** What to do about agents that want to know who calls. */
const adviceOn = (error: Error): string =>
  error.name === 'UnauthenticatedError'
    ? ' PEER_TOKEN is the token that the demo sends, and the planner to its peers.'
    : ''

try {
  const options = readOptions(process.argv.slice(2))
  if (options.help) printHelp(help)
  else
    demo(options).then(
      (code) => process.exit(code),
      (error: Error) => {
        console.error(`\nThe demo stopped: ${error.message}${adviceOn(error)}`)
        process.exit(1)
      },
    )
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
