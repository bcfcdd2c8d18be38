// Proves docker-compose.yml with a Docker engine: the agents ship a change in containers, one is killed, the data outlives them all.
import { printHelp, readCommandLine } from './command-line.ts'
import { type Compose, composeProject, whyNoDocker } from './compose-check/compose.ts'
import { createProgress } from './compose-check/progress.ts'
import { prove } from './compose-check/prove.ts'

const help = `npm run compose-check: tries docker-compose.yml for real, in some minutes.

Builds the image and runs the three agents as a project of its own, on the ports
21241 to 21243, so that a kit that runs is not disturbed. Fetches the cards from
the host and from inside the containers, ships a change, restarts and kills the
deployer while its task waits for an approval, approves, takes everything down
and up again, and plays the tutorials against the agents there. Removes what it
made.

  --help  this text

Exits with 1 if something did not hold, and with 2 if there is no Docker engine
to try it with.`

async function check(argv: string[]): Promise<number> {
  if (readCommandLine('npm run compose-check', argv, {}).values.help) {
    printHelp(help)
    return 0
  }
  const missing = whyNoDocker()
  if (missing) {
    console.error(`Nothing was tried: ${missing}`)
    return 2
  }
  const compose = composeProject('a2a-kit-check')
  process.once('SIGINT', () => leave(compose, 130))
  process.once('SIGTERM', () => leave(compose, 143))
  const progress = createProgress()
  try {
    compose.remove() // what a check that was killed left behind
    await prove(compose, progress)
    console.log('\nEverything held.')
    return 0
  } catch (error) {
    progress.failed(error as Error)
    console.error(`\nThe last lines of the agents' logs:\n${compose.logs(20)}`)
    return 1
  } finally {
    compose.remove()
  }
}

function leave(compose: Compose, code: number): never {
  compose.remove()
  process.exit(code)
}

check(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
