// The secrets of a capture that is played: made anew each time, and never written.
import { randomBytes } from 'node:crypto'

export interface Secrets {
  /** The secret called `name`, the same each time. */
  of(name: string): string
  /** All there are by now, by name. */
  all(): Record<string, string>
  /** `text` with `{{name}}` in the place of each. */
  hidden(text: string): string
}

export function createSecrets(): Secrets {
  const made = new Map<string, string>()
  return {
    of(name) {
      const value = made.get(name) ?? randomBytes(24).toString('base64url')
      made.set(name, value)
      return value
    },
    all: () => Object.fromEntries(made),
    hidden: (text) => [...made].reduce((own, [name, value]) => own.replaceAll(value, `{{${name}}}`), text),
  }
}
