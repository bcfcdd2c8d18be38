// Injects faults while real work runs, and looks after each round whether all still holds: `npm run chaos`.
import { faultNames } from './chaos/faults/index.ts'
import { progressOf, summaryOf } from './chaos/report.ts'
import { runChaos } from './chaos/run.ts'
import { printHelp, readCommandLine } from './command-line.ts'

const help = `npm run chaos [-- options]: injects faults while clients have work done.

It starts the agents and the scripted one as processes. In each round five clients
have work done while processes are killed or stopped, stores fail, clocks jump, and
clients, wires and a webhook misbehave. Then it looks: nothing acknowledged is lost
or stuck, nothing was done twice, every stream and delivery is as the log, nothing
is left open.

  --rounds N    how many rounds (100)
  --seed N      decides everything that is decided by chance; printed
  --from N      the number of the first round (1), to play one again
  --only LIST   only these faults, separated by commas; none is no fault
  --help        this text

The faults: ${faultNames.join(', ')}.

Exits with 1 if anything did not hold; then data and logs of the round are kept.`

async function chaos(argv: string[]): Promise<number> {
  const { values } = readCommandLine('npm run chaos', argv, {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
  })
  if (values.help) {
    printHelp(help)
    return 0
  }
  const rounds = wholeNumber('--rounds', values.rounds)
  const from = wholeNumber('--from', values.from)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed)
  const faults = values.only === undefined ? faultNames : readFaults(values.only)
  const again = (number: number) =>
    `npm run chaos -- --seed ${seed} --from ${number} --rounds 1${values.only === undefined ? '' : ` --only ${values.only}`}`
  console.log(`${rounds} rounds with the seed ${seed}.`)
  const played = await runChaos({
    seed,
    from,
    rounds,
    faults,
    onStart(missing) {
      for (const [name, why] of Object.entries(missing)) console.log(`Without ${name}: ${why}.`)
    },
    onRound: (round, { folder }) => console.log(progressOf(round, { all: from + rounds - 1, again, folder })),
  })
  console.log(`\n${summaryOf(played, seed, again)}`)
  return played.every(({ problems }) => problems.length === 0) ? 0 : 1
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`${option} must be a whole number, and is "${text}".`)
}

/** @throws Error that lists the faults */
function readFaults(text: string): string[] {
  if (text === 'none') return []
  const names = text.split(',')
  const unknown = names.find((name) => !faultNames.includes(name))
  if (unknown === undefined) return names
  throw new Error(`There is no fault "${unknown}". There are ${faultNames.join(', ')}, and none.`)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
chaos(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
