// Where a call comes from: the address of its connection, or what a proxy that is trusted says of it.
import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

export interface Origin {
  /** The address at the other end of the connection. */
  peer?: string | undefined
  /** `X-Forwarded-For`, as it came. */
  forwardedFor?: string | undefined
}

export type NetworkOf = ReturnType<typeof createNetworkOf>

/**
 * `proxies` are addresses and CIDR ranges whose `X-Forwarded-For` counts; by default nobody's does, since anybody can write one.
 * @throws TypeError for an entry that is neither
 */
export function createNetworkOf(proxies: readonly string[] = []) {
  const trusts = proxyAddress.compile([...proxies])

  /** The IPv4 address that the call comes from, or the /64 of its IPv6 address, which is as much as one household has. */
  return function networkOf({ peer = '', forwardedFor }: Origin): string {
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
    const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
    const said = ipaddr.isValid(peer) ? proxyAddress(request, trusts) : peer
    const address = ipaddr.isValid(said) ? said : peer
    if (!ipaddr.isValid(address)) return 'unknown'
    const parsed = ipaddr.process(address)
    if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
    return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
  }
}
