// The names under which a browser may reach an agent. A page can have its own name turned to this machine after it was loaded, and
// is then of the same origin as the agent for the browser: nothing but the name in its requests tells the two apart.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { A2AError } from '../protocol/index.ts'

/** Whether `host`, a name or an address with or without a port, is one of the agent's; none at all is no browser's. */
export type PermitsHost = (host: string | undefined) => boolean

/** How many permitted hosts are remembered, since reading a URL is dear and nearly every request names the same one. */
const mostRemembered = 100

/** `allowed` are names besides that of `publicUrl`, which may still be '' and does not change after that. Addresses need no name server. */
export function createPermitsHost(allowed: readonly string[], publicUrl: () => string): PermitsHost {
  const names = new Set(['localhost', ...allowed.map((name) => name.toLowerCase())])
  const permitted = new Set<string>()
  const permits = (host: string): boolean => {
    const name = nameIn(`http://${host}`)
    return name !== '' && (isIP(name) > 0 || names.has(name) || name === nameIn(publicUrl()))
  }
  return (host) => {
    if (host === undefined || permitted.has(host)) return true
    if (!permits(host)) return false
    if (permitted.size === mostRemembered) permitted.clear()
    permitted.add(host)
    return true
  }
}

/** The host of a URL, without the brackets of IPv6, or the dot that may end a name; '' if there is none. */
const nameIn = (url: string): string =>
  URL.parse(url)
    ?.hostname.replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '') ?? ''

/** @throws A2AError WrongHostError where the request came under another name */
export function checkHost({ headers }: FastifyRequest, permitsHost: PermitsHost): void {
  if (permitsHost(headers.host)) return
  throw new A2AError(
    'WrongHostError',
    'This agent does not answer under that host name. If it is the agent’s own, PUBLIC_URL or ALLOWED_HOSTS must name it.',
  )
}
