// Where a request stands, in words for a person: each end that it can come to, and what its task does.
import type { TaskState } from '../../protocol/index.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'
import { moment } from './times.ts'

/** The heading of the request's page, and what there is to say. `tone` is whether it stands well. */
export interface Standing {
  heading: string
  tone?: 'good' | 'bad'
  words: Html
}

/** Of a request that does not wait for a decision; `now` in ms since the epoch. */
export function standingOf(shown: Shown, now: number): Standing {
  const { outcome, decidedAt, usedAt } = shown
  const task = html` ${taskOf(shown)}`
  // Its agent is still to learn of it, and may well end it: that it goes on would mislead.
  const refused = html` It is not done, and whoever asked is told so. ${taskOf(shown, '')}`
  const by = html`${shown.decidedBy && html` by <strong><bdi>${shown.decidedBy}</bdi></strong>`}${decidedAt && html` on ${moment(decidedAt)}`}`
  const because = shown.reason && html` The reason: <q><bdi>${shown.reason}</bdi></q>`
  switch (outcome) {
    case 'approved': {
      const words = html`It was approved${by}.`
      if (usedAt) {
        const used = html`${words} What was approved began on ${moment(usedAt)}, so it cannot be revoked any more.${task}`
        return { heading: 'Approved, and used', tone: 'good', words: used }
      }
      if (shown.revoke) return { tone: 'good', ...notUsedYet(shown, words, now) }
      return { heading: 'Approved, and never used', words: html`${words} Nothing was done with it.${task}` }
    }
    case 'denied':
      return {
        heading: 'Denied',
        tone: 'bad',
        words: html`It was denied${by}.${because}${refused}`,
      }
    case 'revoked':
      return {
        heading: 'Revoked',
        tone: 'bad',
        words: html`It was approved, and revoked${by} before it was used.${because}${refused}`,
      }
    case 'expired':
      return {
        heading: 'Expired',
        tone: 'bad',
        words: html`The request expired${shown.expiresAt && html` on ${moment(shown.expiresAt)}`}. It cannot be decided or used any more.${task}`,
      }
    case 'void':
      return {
        heading: 'No longer asked for',
        words: html`It was not decided, and is not asked for any more${decidedAt && html`, since ${moment(decidedAt)}`}.${because}${task}`,
      }
    default:
      return {
        heading: 'Nothing to decide',
        words: html`${shown.digest === undefined ? 'This task has asked for no approval.' : 'The request was not decided.'}${task}`,
      }
  }
}

/** An agent that works may begin while the page is on its way, so a revoke is promised only where it waits. */
function notUsedYet({ state }: Shown, words: Html, now: number): Pick<Standing, 'heading' | 'words'> {
  const asOf = html`${words} As of ${moment(new Date(now).toISOString())}`
  if (state !== 'TASK_STATE_WORKING') {
    const waits = html`${asOf}, what was approved has not begun: until it begins, you can revoke it. ${inState[state]}`
    return { heading: 'Approved, and not used yet', words: waits }
  }
  const works = html`${asOf}, what was approved had not begun, but the agent is at work and may have begun it by now. Load this page again to see; if it has not, you can revoke it.`
  return { heading: 'Approved', words: works }
}

/** Any other one goes on. */
const inState: { [state in TaskState]?: string } = {
  TASK_STATE_COMPLETED: 'The task has completed.',
  TASK_STATE_FAILED: 'The task has failed.',
  TASK_STATE_REJECTED: 'The task was rejected.',
  TASK_STATE_CANCELED: 'The task was canceled.',
  TASK_STATE_INPUT_REQUIRED: 'The task goes on: it waits for an answer of its client.',
}

/** What the task does now. */
const taskOf = ({ state, canceling }: Shown, otherwise = 'The task goes on.'): string =>
  canceling ? 'The task is being canceled.' : (inState[state] ?? otherwise)
