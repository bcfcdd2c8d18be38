// The tutorial's command line.
import { readCommandLine } from '../command-line.ts'

export const help = `npm run tutorial [-- options] [numbers]: the captures of capture/out, played by you.

npm run tutorial                 lists them, and says where you are in each
npm run tutorial -- 06           plays one: what is sent, what comes back, and what was recorded
npm run tutorial -- 06 --again   plays it from its beginning, where you left it before its end
npm run tutorial -- 06 --own     plays it against agents of its own, even if others run; also with --check
npm run tutorial -- --check      plays all without a reader, and fails at the first difference
npm run tutorial -- --check 06   plays only these
npm run tutorial -- --help       this text

It plays against the agents of npm start or docker compose if they run, and otherwise starts what it needs and stops it.
Before the first request it says which agents those are, and where.
Environment: PLANNER_PORT, CODE_REVIEWER_PORT, DEPLOYER_PORT, DATA_DIR (data), NO_COLOR.`

export interface Options {
  help: boolean
  check: boolean
  again: boolean
  /** Start agents even if some run. */
  own: boolean
  /** Which captures, as the reader names them. */
  words: string[]
}

const flag = { type: 'boolean', default: false } as const

/** @throws Error for an option that there is not, and for what does not go together */
export function readOptions(args: string[]): Options {
  const options = { check: flag, again: flag, own: flag }
  const { values, positionals: words } = readCommandLine('npm run tutorial', args, options, { words: true })
  if (values.again && (values.check || words.length === 0))
    throw new Error('--again is for one tutorial: name it.')
  if (values.own && !values.check && words.length === 0)
    throw new Error('--own is for playing: name a tutorial, or check them all.')
  if (!values.check && words.length > 1) throw new Error('Name one tutorial at a time, or check them all.')
  return { ...values, words }
}
