// The little language in which a message tells the conformance agent what to do: `working; chunks 5 every 100ms; ask`.

import type { Json } from '@a2a-kit/task-core'

export type Command =
  | { verb: 'working'; text: string }
  | { verb: 'sleep'; ms: number; ignoreAbort: boolean }
  | { verb: 'hang' }
  | { verb: 'chunks'; count: number; every: number; size: number }
  | { verb: 'append'; name: string; texts: string[] }
  | { verb: 'artifact'; name: string; text: string }
  | { verb: 'data'; name: string; data: Json }
  | { verb: 'file'; name: string; mediaType: string; text: string }
  | { verb: 'link'; name: string; mediaType: string; url: string }
  | { verb: 'echo' }
  | { verb: 'references' }
  | { verb: 'ask'; text: string }
  | { verb: 'obey'; text: string }
  | { verb: 'authorize'; text: string }
  | { verb: 'throw'; text: string }
  | { verb: 'fail'; text: string }
  | { verb: 'limited'; until: Date }
  | { verb: 'reject'; text: string }
  | { verb: 'complete'; text: string }

/** Every command, with its form, for error texts and documentation. */
export const forms: Record<Command['verb'], string> = {
  working: 'working [text]',
  sleep: 'sleep <ms> [ignoring abort]',
  hang: 'hang',
  chunks: 'chunks <count> [every <ms>] [of <characters>]',
  append: 'append <name> <text> | <text> …',
  artifact: 'artifact <name> <text>',
  data: 'data <name> <json>',
  file: 'file <name> <media type> <text>',
  link: 'link <name> <media type> <url>',
  echo: 'echo',
  references: 'references',
  ask: 'ask [question]',
  obey: 'obey [question]',
  authorize: 'authorize [operation]',
  throw: 'throw [text]',
  fail: 'fail [text]',
  limited: 'limited <time>',
  reject: 'reject [reason]',
  complete: 'complete [text]',
}

// Numbers have so few digits that a timer can wait as long, and memory can hold as much.
const readers: Record<Command['verb'], (words: string) => Command | undefined> = {
  working: (text) => ({ verb: 'working', text }),
  sleep(words) {
    const [, ms, ignoring] = /^(\d{1,9})\s*(?:ms)?(\s+ignor(?:ing|es) abort)?$/.exec(words) ?? []
    return ms === undefined ? undefined : { verb: 'sleep', ms: Number(ms), ignoreAbort: Boolean(ignoring) }
  },
  hang: (words) => (words === '' ? { verb: 'hang' } : undefined),
  chunks(words) {
    const [, count, every = 0, size = 0] =
      /^(\d{1,6})(?: every (\d{1,9})\s*(?:ms)?)?(?: of (\d{1,7}))?$/.exec(words) ?? []
    if (count === undefined) return undefined
    return { verb: 'chunks', count: Number(count), every: Number(every), size: Number(size) }
  },
  artifact(words) {
    const [name, text] = named(words)
    return text ? { verb: 'artifact', name, text } : undefined
  },
  append(words) {
    const [name, rest] = named(words)
    return rest ? { verb: 'append', name, texts: rest.split('|').map((text) => text.trim()) } : undefined
  },
  data(words) {
    const [name, json] = named(words)
    const data = json ? parseJson(json) : undefined
    return data === undefined ? undefined : { verb: 'data', name, data }
  },
  file(words) {
    const [name, rest] = named(words)
    const [mediaType, text] = named(rest)
    return text ? { verb: 'file', name, mediaType, text } : undefined
  },
  link(words) {
    const [name, rest] = named(words)
    const [mediaType, url] = named(rest)
    return url ? { verb: 'link', name, mediaType, url } : undefined
  },
  echo: (words) => (words === '' ? { verb: 'echo' } : undefined),
  references: (words) => (words === '' ? { verb: 'references' } : undefined),
  obey: (text) => ({ verb: 'obey', text: text || 'What next?' }),
  ask: (text) => ({ verb: 'ask', text: text || 'What do you answer?' }),
  authorize: (text) => ({ verb: 'authorize', text: text || 'the operation' }),
  throw: (text) => ({ verb: 'throw', text: text || 'thrown as told' }),
  fail: (text) => ({ verb: 'fail', text: text || 'failed as told' }),
  limited(words) {
    const until = new Date(words)
    return Number.isNaN(until.getTime()) ? undefined : { verb: 'limited', until }
  },
  reject: (text) => ({ verb: 'reject', text: text || 'rejected as told' }),
  complete: (text) => ({ verb: 'complete', text }),
}

/** The first word, and what comes after it. */
function named(words: string): [string, string] {
  const [, name = '', rest = ''] = /^(\S+)\s+(.+)$/s.exec(words) ?? []
  return [name, rest]
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const tokens = /\\.|"|;|\bthen\b|[^\\";t]+|./gs

/** The text between the partings. What stands in double quotes parts nothing; an odd number of them is no quotes. */
function parts(text: string): string[] {
  const all = [...text.matchAll(tokens)].map(([token]) => token)
  const quotes = all.filter((token) => token === '"').length % 2 === 0
  const found: string[][] = [[]]
  let quoted = false
  for (const token of all) {
    if (quotes && token === '"') quoted = !quoted
    if (!quoted && (token === ';' || token === 'then')) found.push([])
    else found.at(-1)!.push(token)
  }
  return found.map((tokens) => tokens.join(''))
}

/**
 * The commands of `text`, which are parted by `;` or `then`, though not within double quotes. An empty text has none.
 * @throws Error that names the command at fault and the forms there are
 */
export function parseScript(text: string): Command[] {
  return parts(text)
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [, verb = '', words = ''] = /^(\S+)\s*(.*)$/s.exec(one) ?? []
      const command = Object.hasOwn(readers, verb) ? readers[verb as Command['verb']](words) : undefined
      if (command) return command
      throw new Error(
        `"${one.slice(0, 60)}" is not a command. There are: ${Object.values(forms).join('; ')}; and alone: reply <text>.`,
      )
    })
}
