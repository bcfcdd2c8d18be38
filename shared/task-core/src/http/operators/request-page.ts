// The page on which a person reads what is asked, decides it, or takes an approval back.
import { type Html, html } from './html.ts'
import { operationList } from './operation.ts'
import { page, requestAt } from './page.ts'
import type { Shown } from './shown.ts'
import { standingOf } from './standing.ts'
import { duration, moment } from './times.ts'
import { who, whoInShort } from './who.ts'

/**
 * `root` is where the agent's root is from the page's address, `now` in ms since the epoch. `other` is the digest of something else
 * that the task asked for, if the address does not say which of them is meant.
 */
export function requestPage(shown: Shown, root: string, now: number, other?: string): string {
  const { agent, taskId } = shown
  const { heading, words, ways } = shown.waiting ? asked(shown, root, now) : settled(shown, root, now)
  return page(
    `${heading} – ${agent}`,
    html`<h1>${heading}</h1>
${words}
${other !== undefined && elsewhere(shown, root, other)}
${shown.operation && operation(shown)}
<h2>Who asks</h2>
${who(shown.requester)}
${shown.text !== '' && quotation(shown)}
${shown.waiting && consequences(shown, now)}
<p class="quiet">Agent <bdi>${agent}</bdi>${shown.provider !== undefined && html` of <bdi>${shown.provider}</bdi>`}, task <bdi>${taskId}</bdi>. <a href="${root}approve">All that waits here</a></p>
${ways}`,
  )
}

/** Whoever followed a link may have read the other one under it. */
const elsewhere = ({ taskId, waiting }: Shown, root: string, other: string): Html =>
  html`<p class="standing">${waiting ? 'This task asked for something else before; this is what it asks for now.' : 'This task asked for something else too.'} <a href="${requestAt(root, taskId, other)}">Read ${waiting ? 'what it asked for before' : 'the other request'}</a></p>`

const operation = ({ operation = {}, digest, waiting }: Shown): Html =>
  html`<h2>${waiting ? 'What would be done' : 'What was asked for'}</h2>
${operationList(operation)}
<p class="quiet">${waiting && 'An approval covers exactly this, once. '}Its digest is <code>${digest}</code></p>`

/** Plain text that another party wrote, and that must not be taken for this page's own. */
const quotation = ({ text, waiting }: Shown): Html =>
  html`<h2>${waiting ? 'What the agent says of it' : 'What the agent says now'}, in words that are not this page’s</h2>
<blockquote tabindex="0" aria-label="The words of the agent">${text}</blockquote>`

interface Part {
  heading: string
  words: Html
  ways: Html | undefined
}

function asked(shown: Shown, root: string, now: number): Part {
  const left = Date.parse(shown.expiresAt!) - now
  const digest = digestField(shown)
  return {
    heading: `${shown.agent} asks for your approval`,
    words: html`<p class="standing">Asked for by ${whoInShort(shown.requester)}. It waits until ${moment(shown.expiresAt!)}, ${left > 0 ? html`for <strong>${duration(left)}</strong> more` : html`<strong>which is over</strong>`}.</p>`,
    ways: html`<div class="ways">
<form method="post" action="${root}approve/${pathOf(shown)}">${digest}<button class="yes">Approve</button></form>
<form method="post" action="${root}deny/${pathOf(shown)}">${digest}${reason('Reason, if you deny')}<button class="no">Deny</button></form>
</div>`,
  }
}

function settled(shown: Shown, root: string, now: number): Part {
  const { heading, tone = '', words } = standingOf(shown, now)
  const next =
    shown.replacedBy &&
    html`<p><a href="${requestAt(root, shown.taskId, shown.replacedBy)}">Read what the task asks for now</a></p>`
  return {
    heading,
    words: html`<p class="standing ${tone}">${words}</p>\n${next}`,
    ways: shown.revoke
      ? html`<div class="ways">
<form method="post" action="${root}revoke/${pathOf(shown)}">${digestField(shown)}${reason('Reason, if you revoke')}<button class="no">Revoke</button></form>
</div>`
      : undefined,
  }
}

const consequences = ({ agent, requester }: Shown, now: number): Html => html`<h2>What comes of it</h2>
<ul>
<li><strong>Approve</strong>: <bdi>${agent}</bdi> does exactly this, once, for ${requester.identified ? html`<bdi>${requester.name}</bdi>` : 'whoever asked'}. It may begin at once; as long as it has not, you can revoke it here.</li>
<li><strong>Deny</strong>: it is not done, and whoever asked is told so with your reason.</li>
<li><strong>Leave</strong>: this page decides nothing by itself; the request goes on waiting, and expires at its time.</li>
</ul>
<p class="quiet">As of ${moment(new Date(now).toISOString())}.</p>`

const digestField = ({ digest }: Shown): Html => html`<input type="hidden" name="digest" value="${digest}">`

const reason = (label: string): Html =>
  html`<label>${label} <input name="reason" maxlength="2000" autocomplete="off"></label>`

const pathOf = ({ taskId }: Shown): string => encodeURIComponent(taskId)
