// How the pages for people look, on any screen and in the dark, and the policy that lets a browser do nothing else with them.
import { hash } from 'node:crypto'

export const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  --line: light-dark(#b4bac4, #4d5561); --soft: light-dark(#f2f4f7, #22262d); --page: light-dark(#fff, #15181d);
  --text: light-dark(#15181d, #eceff4); --quiet: light-dark(#515a68, #a9b2c0); --link: light-dark(#0a4fb3, #8ab8ff);
  --yes: light-dark(#0b6b3a, #5fd39a); --no: light-dark(#a3231b, #ff9d94); --focus: light-dark(#0a4fb3, #ffd166) }
* { box-sizing: border-box }
body { margin: 0; overflow-wrap: anywhere; background: var(--page); color: var(--text) }
main { max-width: 44rem; margin: 0 auto; padding: 1rem 1rem 0 }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .25rem }
h2 { font-size: 1rem; margin: 1rem 0 .25rem }
p, ul { margin: .25rem 0 } ul { padding-left: 1.25rem }
a { color: var(--link) }
.quiet { color: var(--quiet); font-size: .875rem }
.standing { border: 1px solid var(--line); border-left: .375rem solid var(--quiet); padding: .5rem .75rem; margin: .75rem 0 }
.good { border-left-color: var(--yes) } .bad { border-left-color: var(--no) }
code, dd { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875rem }
dl { display: grid; grid-template-columns: fit-content(12rem) minmax(0, 1fr); gap: .125rem 1rem; margin: .25rem 0; background: var(--soft); padding: .5rem .75rem }
dt { color: var(--quiet); font-size: .875rem } dd { margin: 0; white-space: pre-wrap; contain: paint; unicode-bidi: isolate }
bdi { contain: paint }
table { border-collapse: collapse } th, td { text-align: left; vertical-align: top; padding: .25rem 1rem .25rem 0 }
blockquote { margin: .25rem 0; padding: .5rem .75rem; border-left: .25rem solid var(--line); background: var(--soft); white-space: pre-wrap; contain: paint; max-height: 14rem; overflow: auto }
.requests { list-style: none; padding: 0 } .requests li { border: 1px solid var(--line); padding: .5rem .75rem; margin: .5rem 0 }
.ways { background: var(--page); border-top: 1px solid var(--line); margin-top: 1rem; padding: .75rem 0; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: end }
.ways form { display: flex; gap: .5rem; align-items: end; margin: 0 } .ways form:has(input[name=reason]) { flex: 1 1 14rem }
label { flex: 1; min-width: 0; font-size: .875rem }
button, input { font: inherit; min-height: 2.75rem; padding: .25rem 1rem; border-radius: .25rem; border: 1px solid currentColor; background: var(--page); color: var(--text) }
input { display: block; width: 100%; padding: .25rem .5rem; border-color: var(--quiet) }
button { font-weight: 600; cursor: pointer } .yes { background: var(--yes); border-color: var(--yes); color: var(--page) } .no { color: var(--no) }
:focus-visible { outline: .1875rem solid var(--focus); outline-offset: .125rem }
@media (min-height: 30rem) { .ways { position: sticky; bottom: 0 } html { scroll-padding-bottom: 9rem } }
@media (max-width: 30rem) { main { padding: .75rem .75rem 0 } dl { grid-template-columns: fit-content(38%) minmax(0, 1fr); gap: .125rem .5rem; padding: .375rem .5rem } .ways form:not(:has(input[name=reason])), .ways form:not(:has(input[name=reason])) button { width: 100% } }
`

/** No script, no frame, no other style than this one, and forms go to the agent alone. */
export const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
