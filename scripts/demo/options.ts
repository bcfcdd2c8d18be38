// The demo's command line.
import { readCommandLine } from '../command-line.ts'

export const help = `npm run demo [-- options]: three agents ship a change; you approve the deploy.

Starts planner, code-reviewer and deployer, unless they run already, and stops what it started.

  --yes             approve without asking, through the same endpoint (so it is without a terminal)
  --deny            deny the deploy
  --reject          ship a change that the review turns down
  --unknown-branch  name a base branch that does not exist: the reviewer asks again, and the question comes to you
  --kill            kill the deployer with SIGKILL while the deploy waits, start it again, then approve
  --help            this text

Environment: PLANNER_PORT, CODE_REVIEWER_PORT, DEPLOYER_PORT, DATA_DIR (data), NO_COLOR, and of agents that
know callers and operators PEER_TOKEN and OPERATOR_TOKENS.`

export type Options = ReturnType<typeof readOptions>

/** @throws Error for an option that there is not */
export function readOptions(argv: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const options = { yes: flag, deny: flag, reject: flag, 'unknown-branch': flag, kill: flag }
  const { values } = readCommandLine('npm run demo', argv, options)
  const asks = process.stdin.isTTY === true && process.stdout.isTTY === true
  return {
    help: values.help,
    kill: values.kill,
    /** What the demo decides by itself; undefined where a person does. */
    decide: values.deny ? ('deny' as const) : values.yes || !asks ? ('approve' as const) : undefined,
    asks: asks && !values.yes,
    build: '2026.10.06-1',
    environment: 'staging',
    /** The fixture's change that is shipped. */
    change: values.reject ? 'hardcoded-secret' : 'idempotency-keys',
    baseBranch: values['unknown-branch'] ? 'release/2020.01' : 'main',
  }
}
