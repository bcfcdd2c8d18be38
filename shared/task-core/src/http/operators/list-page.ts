// The page that lists what waits for operators.
import { type Html, html } from './html.ts'
import type { Waiting } from './list.ts'
import { inOneLine } from './operation.ts'
import { page } from './page.ts'
import type { Shown } from './shown.ts'
import { duration, moment } from './times.ts'
import { whoInShort } from './who.ts'

/** The most of an operation that a line shows, in characters; its page shows all. */
const longestLine = 200

/** `root` is where the agent's root is from the page's address; `now` in ms since the epoch. */
export function listPage({ agent, requests, next }: Waiting, root: string, now: number): string {
  const heading = `What waits at ${agent}`
  return page(
    heading,
    html`<h1>${heading}</h1>
<p class="quiet">Each waits for a decision, or is approved and not used yet. As of ${moment(new Date(now).toISOString())}.</p>
${requests.length === 0 ? html`<p class="standing">Nothing waits.</p>` : html`<ul class="requests">\n${requests.map((one) => entry(one, root, now))}</ul>`}
${next !== undefined && html`<p><a href="${root}approve?after=${next}">Further requests</a></p>`}`,
  )
}

function entry(shown: Shown, root: string, now: number): Html {
  const { taskId, digest, operation = {}, expiresAt, waiting, requester } = shown
  const text = inOneLine(operation, longestLine)
  const left = duration(Date.parse(expiresAt!) - now)
  return html`<li><a href="${root}approve/${encodeURIComponent(taskId)}?digest=${digest}">${text || 'an operation without fields'}</a>
<p>${waiting ? html`Asked for by ${whoInShort(requester)}, and waits for <strong>${left}</strong> more.` : html`Approved by <strong><bdi>${shown.decidedBy}</bdi></strong>, and not used yet.`}</p></li>
`
}
