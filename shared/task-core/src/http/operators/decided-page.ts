// The page that says what came of a decision.
import type { Decision } from '../../define-agent.ts'
import { html } from './html.ts'
import { page } from './page.ts'
import { moment } from './times.ts'

type Taken = Exclude<Decision, { outcome: 'message' | 'expired' }>

const next: { [outcome in Taken['outcome']]: string } = {
  approved:
    'The task goes on. Until it begins what you approved, you can revoke that on the page of the request.',
  denied: 'It is not done, and whoever asked is told so with the reason.',
  revoked: 'What was approved is not done, and whoever asked is told so with the reason.',
}

export function decidedPage(decision: Decision & { taskId: string }, root: string): string {
  const { taskId, outcome, by, at, ...more } = decision as Taken & { taskId: string }
  const heading = `The request is ${outcome}`
  return page(
    heading,
    html`<h1>${heading}</h1>
<p class="standing ${outcome === 'approved' ? 'good' : 'bad'}">By <strong><bdi>${by}</bdi></strong>, on ${moment(at)}.${'reason' in more && html` The reason: <q><bdi>${more.reason}</bdi></q>`} ${next[outcome]}</p>
<p><a href="${root}approve/${encodeURIComponent(taskId)}">The request</a> · <a href="${root}approve">All that waits here</a></p>`,
  )
}
