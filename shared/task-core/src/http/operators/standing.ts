// Where a request stands, in words for a person: each end that it can come to, and what its task does.
import { isTerminal } from '../../protocol/index.ts'
import { type Html, html } from './html.ts'
import type { Shown } from './shown.ts'
import { moment } from './times.ts'

/** The heading of the request's page, and what there is to say. `tone` is whether it stands well. */
export interface Standing {
  heading: string
  tone?: 'good' | 'bad'
  words: Html
}

/** Of a request that does not wait for a decision. */
export function standingOf(shown: Shown): Standing {
  const { outcome, decidedAt, usedAt } = shown
  const task = html` ${taskOf(shown)}`
  const by = html`${shown.decidedBy && html` by <strong><bdi>${shown.decidedBy}</bdi></strong>`}${decidedAt && html` on ${moment(decidedAt)}`}`
  const because = shown.reason && html` The reason: <q><bdi>${shown.reason}</bdi></q>`
  switch (outcome) {
    case 'approved': {
      const words = html`It was approved${by}.`
      if (usedAt) {
        const used = html`${words} What was approved began on ${moment(usedAt)}, so it cannot be revoked any more.${task}`
        return { heading: 'Approved, and used', tone: 'good', words: used }
      }
      if (shown.revoke) {
        const notYet = html`${words} What it is for has not begun yet: until then you can revoke it.${task}`
        return { heading: 'Approved, and not used yet', tone: 'good', words: notYet }
      }
      return { heading: 'Approved, and never used', words: html`${words} Nothing was done with it.${task}` }
    }
    case 'denied':
      return { heading: 'Denied', tone: 'bad', words: html`It was denied${by}.${because}${task}` }
    case 'revoked':
      return {
        heading: 'Revoked',
        tone: 'bad',
        words: html`It was approved, and revoked${by} before it was used.${because}${task}`,
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
        words: html`The request was withdrawn${decidedAt && html` on ${moment(decidedAt)}`}, and cannot be decided any more.${because}${task}`,
      }
    default:
      return {
        heading: 'Nothing to decide',
        words: html`${shown.digest === undefined ? 'This task has asked for no approval.' : 'The request was not decided.'}${task}`,
      }
  }
}

/** What the task does now. */
function taskOf({ state, canceling }: Shown): Html {
  if (canceling) return html`The task is being canceled.`
  if (state === 'TASK_STATE_CANCELED') return html`The task was canceled.`
  if (isTerminal(state)) return html`The task has ended: <code>${state}</code>.`
  return html`The task goes on: it is in <code>${state}</code>.`
}
