// Kills each agent with SIGKILL at every commit, message and step of a story, and looks whether all still holds: `npm run crash`.
import { printHelp, readCommandLine } from './command-line.ts'
import { inWorkspace, killAtEach, recordAll } from './crash/all.ts'
import { nameOf, parsePart, parsePoint, parseStory, partOf } from './crash/points.ts'
import { isGood, type Outcome, progressOf, summaryOf } from './crash/report.ts'
import { storyNames } from './crash/story.ts'

const help = `npm run crash [-- options]: kills each agent at each point of a story, one run each.

A run starts the three agents with fresh data, lets a client ship a change,
kills one agent at the point, starts it again at once, and then looks: nothing
acknowledged is lost or stuck, nothing was done twice, every log is whole.

  --story NAME    ${storyNames.join(' or ')}; both by default
  --part I/N      every Nth point only, beginning with the Ith
  --points LIST   only these, separated by commas, such as planner:commit:before#5
  --list          print the points and kill nobody
  --at-once N     so many runs at once (2)
  --help          this text

Exits with 1 if anything did not hold; then data and logs are kept, and the last
lines say where.`

async function crash(argv: string[]): Promise<number> {
  const { values } = readCommandLine('npm run crash', argv, {
    story: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    points: { type: 'string' },
    list: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '2' },
  })
  if (values.help) {
    printHelp(help)
    return 0
  }
  const stories = values.story === undefined ? storyNames : [parseStory(values.story)]
  const part = parsePart(values.part)
  const points = values.points?.split(',').flatMap((text) => stories.map((story) => parsePoint(text, story)))
  const atOnce = Number(values['at-once'])
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new Error('--at-once must be a whole number from 1.')

  const begun = performance.now()
  const outcomes = await inWorkspace(async (workspace) => {
    const seen = points ?? (await recordAll(workspace, stories))
    const chosen = partOf(seen, part)
    console.log(`${seen.length} points, and ${chosen.length} of them now.`)
    if (values.list) {
      for (const point of chosen) console.log(`${point.story} ${nameOf(point)}`)
      return []
    }
    const onOutcome = (outcome: Outcome, done: number) =>
      console.log(progressOf(outcome, done, chosen.length))
    return await killAtEach(workspace, chosen, { atOnce, onOutcome })
  })
  if (values.list) return 0
  console.log(`\n${summaryOf(outcomes)}\n${((performance.now() - begun) / 60_000).toFixed(1)} minutes.`)
  return outcomes.every(isGood) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
crash(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)
