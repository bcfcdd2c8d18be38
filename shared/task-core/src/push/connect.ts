// Connects to receivers, and looks at the very address that it connects to: names may change their addresses at any time (§13.2).
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import type { Hosts } from './hosts.ts'

/** Gives the addresses of a name, as `dns.lookup` with `all` does. */
export type Resolve = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The receiver's address is one that must not be called. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  constructor() {
    super('its address is not public, and PUSH_ALLOWED_HOSTS does not allow it')
  }
}

/** How long a connection is kept for the next event, in ms, whatever its receiver says about it. */
const longestIdle = 5000

/** The connections to receivers. `timeout` for each to stand, in ms. */
export const createConnections = (hosts: Hosts, timeout: number, resolve?: Resolve): Agent =>
  new Agent({
    connect: createConnector(hosts, timeout, resolve),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: longestIdle,
  })

function createConnector(hosts: Hosts, timeout: number, resolve: Resolve = systemLookup) {
  const lookup: LookupFunction = (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const good = hosts.permitsName(name.replace(/\.$/, ''))
        ? found
        : found.filter(({ address }) => hosts.permitsAddress(address))
      if (good.length === 0) return done(new AddressRefused(), '')
      return options.all ? done(null, good) : done(null, good[0]!.address, good[0]!.family)
    })
  }
  const connect = buildConnector({ lookup, timeout })
  const connector: buildConnector.connector = (options, callback) => {
    // An address in the URL itself is never looked up.
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (ipaddr.isValid(literal) && !hosts.permitsAddress(literal)) callback(new AddressRefused(), null)
    else connect(options, callback)
  }
  return connector
}
