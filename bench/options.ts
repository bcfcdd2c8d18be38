// The benchmark's command line.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../scripts/command-line.ts'
import { type PartName, partNames } from './parts/index.ts'

export const help = `npm run bench -- [parts] [options]

Measures the kit beside the official SDK and bare Fastify, in ten minutes or so.

Parts, all by default:
  send      blocking SendMessage to a completed task with one artifact (four
            events)
  get       GetTask of such a task
  stream    SendStreamingMessage of those four events, to the end of the stream
  latency   the same as send, with one connection
  idle      memory of 1,000 subscriptions to a task that waits
  fanout    one event to 1,000 and to 10,000 subscribers, until the last has it
  left      what is held after 3,000 subscribers have left: at rest, in the
            middle of a frame, without having read
  chunks    one artifact of 1,000, 4,000 and 16,000 chunks, and whether the time
            grows no worse than linear
  stored    GetTask, pages of ListTasks and memory where 50, 50,000 and 500,000
            tasks are stored; takes 1.5 GB of TMPDIR (/tmp) for a while
  start     from the start of an agent to its first answers: the first start, a
            further one, as the container does, with 10,000 tasks that wait

send, get, stream, latency and chunks measure the SDK with its tasks in memory,
send and stream also on SQLite. send and latency also measure the kit with
synchronous=FULL.

Options:
  --seconds N   length of each run under load (2), halved in stored; less than 2
                ends the warm-up of the kit early. It does not matter for idle,
                fanout, left, chunks and start
  --rounds N    how often each run is repeated, the servers taking turns (5).
                Rounds that only warm up come first, and do not count: three in
                send, get, stream and latency, and one elsewhere
  --out FILE    where the figures go as JSON (bench/out/<time>.json)
  --docs        writes the figures of all parts into docs/speed.md, and their
                plot to docs/speed.svg
  --quick       short runs and small numbers: shows in seconds that the parts
                work, and measures nothing
  --strict      fails where a target is missed; else a missed target is only
                said
  --profile     also writes a CPU profile of each server to bench/out, as
                <time>-<server>.cpuprofile; this slows it
  --help        this text

The servers run on one core and the load on another, where there are two and
\`taskset\`. A wrong reply, or a server that dies, ends the benchmark with an
error. docs/speed.md says what is measured, and how to read it.`

export interface Options {
  help: boolean
  parts: PartName[]
  seconds: number
  rounds: number
  quick: boolean
  /** Whether to write the documentation. */
  docs: boolean
  /** Whether a missed target is an error. */
  strict: boolean
  /** The file for the figures. */
  out: string
  /** The folder for CPU profiles; undefined for none. */
  profileTo: string | undefined
}

const outFolder = fileURLToPath(new URL('out/', import.meta.url))

/** @throws Error that names the word at fault */
export function readOptions(words: string[]): Options {
  const options = {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    docs: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    out: { type: 'string', default: `${outFolder}${new Date().toISOString().replaceAll(':', '-')}.json` },
    profile: { type: 'boolean', default: false },
  } as const
  const { values, positionals } = readCommandLine('npm run bench', words, options, { words: true })
  const parts = positionals.map((word) => {
    const name = partNames.find((known) => known === word)
    if (!name) throw new Error(`there is no part "${word}". There are: ${partNames.join(', ')}.`)
    return name
  })
  const { docs, quick, strict } = values
  const seconds = Number(values.seconds ?? (quick ? 0.1 : 2))
  if (!(seconds > 0)) throw new Error(`--seconds must be more than 0, and is "${values.seconds}".`)
  const rounds = Number(values.rounds ?? (quick ? 1 : 5))
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds must be a whole number from 1, and is "${values.rounds}".`)
  }
  if (docs && (quick || parts.length > 0)) {
    throw new Error('--docs needs a full run: leave the parts out, and --quick.')
  }
  if (strict && quick) throw new Error('--strict needs a run that measures: leave --quick out.')
  return {
    help: values.help,
    parts: parts.length > 0 ? [...new Set(parts)] : [...partNames],
    seconds,
    rounds,
    docs,
    quick,
    strict,
    out: resolve(values.out),
    profileTo: values.profile ? outFolder : undefined,
  }
}
