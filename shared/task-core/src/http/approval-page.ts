// The page on which a person reads and decides what a task waits for. Works without JavaScript.
import type { Struct } from '../protocol/index.ts'

export interface ShownRequest {
  agent: string
  taskId: string
  state: string
  text: string
  waiting: boolean
  operation: Struct | undefined
  digest: string | undefined
  expiresAt: string | undefined
  outcome: string | undefined
}

const escaped = (text: unknown): string =>
  String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
  dd { margin: 0; overflow-wrap: anywhere }
  blockquote { margin: 1rem 0; padding: .5rem 1rem; border-left: .25rem solid; white-space: pre-wrap; overflow-wrap: anywhere }
  form { margin: 1rem 0 } button, input { font: inherit; padding: .5rem 1rem } input { width: 100%; box-sizing: border-box }
</style>
</head>
<body>
${content}
</body>
</html>
`

const rows = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => {
      const text = typeof value === 'object' ? JSON.stringify(value) : value
      return `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`
    })
    .join('\n')

/** What is asked, and the ways out: approve, deny with a reason, leave. */
export function approvalPage(shown: ShownRequest): string {
  const { agent, taskId, state, text, waiting, operation, digest, expiresAt, outcome } = shown
  const id = encodeURIComponent(taskId)
  const hidden = `<input type="hidden" name="digest" value="${escaped(digest)}">`
  const forms = `
<form method="post" action="/approve/${id}">${hidden}<button>Approve</button></form>
<form method="post" action="/deny/${id}">${hidden}
<label>Reason <input name="reason" autocomplete="off"></label> <button>Deny</button></form>
<p>Leaving this page decides nothing; the task goes on waiting.</p>`
  const nothing = `<p>There is nothing to decide. The task is in ${escaped(state)}${
    outcome ? `, and its request was ${escaped(outcome)}` : ''
  }.</p>`
  return page(
    `${agent}: approval`,
    `<h1>${escaped(agent)} ${waiting ? 'waits for your approval' : 'does not wait for an approval'}</h1>
${text ? `<p>It says:</p>\n<blockquote>${escaped(text)}</blockquote>` : ''}
${operation ? `<p>${waiting ? 'An approval covers exactly this, once:' : 'What was asked:'}</p>\n<dl>${rows(operation)}</dl>` : ''}
<dl>${rows({ task: taskId, digest, 'valid until': waiting ? expiresAt : undefined })}</dl>
${waiting ? forms : nothing}`,
  )
}

/** What came of a decision. */
export const decidedPage = (result: Record<string, unknown>): string =>
  page(
    'Decision',
    `<h1>${escaped(result.error ? 'Not decided' : `The request is ${result.outcome}`)}</h1>\n<dl>${rows(result)}</dl>`,
  )
