// Times for a person: in full and in UTC, and how long that is from now.
import { type Html, html } from './html.ts'

/** Made when the first page is: it takes a while. */
let full: Intl.DateTimeFormat | undefined

/** `6 October 2026 at 09:00:00 UTC`, of ISO 8601. */
export function moment(iso: string): Html {
  full ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })
  return html`<time datetime="${iso}">${full.format(new Date(iso))} UTC</time>`
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `1 day and 2 hours`, of ms: the two largest units that it has, rounded down. */
export function duration(ms: number): string {
  let seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  })
  return parts.length === 0 ? 'less than a minute' : parts.slice(0, 2).join(' and ')
}
