// Sends agents what no client should, mutations of the captures, and looks whether they stand it: `npm run fuzz`.
import { printHelp, readCommandLine } from './command-line.ts'
import { fuzz } from './fuzz/run.ts'

const help = `npm run fuzz [-- options]: sends agents what no client should, and looks whether they stand it.

The requests of the captures are changed by chance and sent to agents in a
process of their own, one after the other, over bare connections. None may be
answered with a 5xx, in another shape than its binding has for errors, or with
what is inside; none that is refused may change the database; the process may not
end, and may not keep memory of them.

  --seed N       where chance begins; a new one by default, which is printed
  --requests N   how many requests (10000)
  --seconds N    after how long to end in any case (600)
  --round N      how many requests go to the same agents, from one seed (10000)
  --help         this text

Exits with 1 if anything did not hold: then the request stands in a file that
curl can send, and the seed repeats the round that it came in.`

async function main(argv: string[]): Promise<number> {
  const { values } = readCommandLine('npm run fuzz', argv, {
    seed: { type: 'string' },
    requests: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '600' },
    round: { type: 'string', default: '10000' },
  })
  if (values.help) {
    printHelp(help)
    return 0
  }
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : whole('--seed', values.seed)
  const result = await fuzz({
    seed,
    requests: whole('--requests', values.requests),
    seconds: whole('--seconds', values.seconds),
    perRound: whole('--round', values.round),
    print: console.log,
  })
  console.log(`The seed was ${seed}.`)
  return result.isGood ? 0 : 1
}

function whole(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${option} must be a whole number from 1.`)
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
