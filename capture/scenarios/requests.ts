// What clients ask for in several scenarios.
import { smallDiff } from './diffs.ts'

/** Leaves the base branch open, so the reviewer asks for it. */
export const reviewThis = { text: `Please review this diff of payments-api:\n${smallDiff}` }

/** Takes an operator’s approval. */
export const deployThis = { text: 'Deploy build 2026.10.06-1 to staging' }

/** Another build, for a second deploy. */
export const deployOlder = { text: 'Deploy build 2026.10.05-2 to staging' }
