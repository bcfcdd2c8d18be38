// The values of environment variables that have a form of their own: how they are checked, read, and told when they are wrong.
import { readFileSync } from 'node:fs'
import type { CallerTokens } from '../operations/index.ts'

const origin = 'https?://[^/,\\s*]+'
/** A token has at least 16 characters, so that it is not guessed, all of which a header can carry. */
const caller = '[A-Za-z0-9._-]+:[!-+\\--~]{16,}'
const host = '[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*'
const card = '[^,=\\s]+=https?://[^,\\s]+'

export const patterns = {
  PUBLIC_URL: '^https?://[^/]+',
  GRPC_PORT: '^(off|\\d{1,5})$',
  GRPC_PUBLIC_URL: '^(https://)?[^/]+:\\d{1,5}$',
  CALLER_TOKENS: `^${caller}(,${caller})*$`,
  OPERATOR_TOKENS: `^${caller}(,${caller})*$`,
  ALLOWED_HOSTS: `^${host}(,${host})*$`,
  CALLER_CARDS: `^${card}(,${card})*$`,
  METRICS_TOKEN: '^[!-~]{16,}$',
  OTEL_EXPORTER_OTLP_ENDPOINT: '^https?://[^/]+',
  CORS_ORIGINS: `^(\\*|${origin}(,${origin})*)$`,
}

const forms: { [name in keyof typeof patterns]: string } = {
  PUBLIC_URL: 'must be an address such as https://agents.example',
  GRPC_PORT: 'must be off or a port',
  GRPC_PUBLIC_URL:
    'must be a host and a port, such as agents.example:50051, with https:// before it where it speaks TLS',
  CALLER_TOKENS:
    'must be names and tokens such as alice:token,bob:token, each token of 16 characters or more',
  OPERATOR_TOKENS:
    'must be names and tokens such as alice:token,bob:token, each token of 16 characters or more',
  ALLOWED_HOSTS: 'must be host names such as agents.example, without ports, parted by commas',
  CALLER_CARDS:
    'must be callers and the addresses of their cards, such as planner=https://planner.example/.well-known/agent-card.json',
  METRICS_TOKEN: 'must have 16 characters or more, none of them a space',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'must be the address of a collector such as http://localhost:4318',
  CORS_ORIGINS: 'must be origins such as https://ui.example, parted by commas, or *',
}

/** What the variable `name` must be, in words; undefined if its schema says it well enough. */
export const formOf = (name: string): string | undefined =>
  Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : undefined

/** One that no browser would ever send in this form is a mistake that would stay unseen. */
export const readOrigins = (list = ''): string[] =>
  list
    .split(',')
    .filter(Boolean)
    .map((origin) => {
      const sent = origin === '*' ? origin : URL.parse(origin)?.origin
      if (sent === origin) return origin
      throw new Error(
        `CORS_ORIGINS has "${origin}", which no browser sends${sent ? `: it is ${sent} there` : ''}.`,
      )
    })

/** @throws Error that shows no token: of two with one name, or one token of two names, only one would count */
export function readTokens(list: string, variable = 'CALLER_TOKENS', who = 'caller'): CallerTokens {
  const all = list.split(',').map((one) => one.split(/:(.*)/s, 2) as [string, string])
  all.forEach(([name, token], index) => {
    const before = all.slice(0, index)
    if (before.some(([other]) => other === name))
      throw new Error(`${variable} names the ${who} "${name}" twice.`)
    const same = before.find(([, other]) => other === token)
    if (same) throw new Error(`${variable} has one token for "${same[0]}" and "${name}".`)
  })
  return Object.fromEntries(all)
}

/** @throws Error that names `variable` */
export function readKeyFile(variable: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Error(`${variable} cannot be read: ${(error as Error).message}`)
  }
}

export function readPort(text: string): number {
  const port = Number(text)
  if (port <= 65535) return port
  throw new Error('the environment variable GRPC_PORT must be off or a port, which is at most 65535')
}

export const readHosts = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** Addresses by names. */
export function readCards(list = ''): { [caller: string]: string } {
  const all = list
    .split(',')
    .filter(Boolean)
    .map((one) => one.split(/=(.*)/s, 2) as [string, string])
  for (const [name, address] of all) {
    if (!URL.canParse(address)) throw new Error(`CALLER_CARDS has no address for "${name}".`)
    if (all.filter(([other]) => other === name).length > 1)
      throw new Error(`CALLER_CARDS names "${name}" twice.`)
  }
  return Object.fromEntries(all)
}
