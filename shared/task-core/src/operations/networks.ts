// Where a call comes from: the address of its connection, or what a proxy that is trusted says of it.
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

export interface Origin {
  /** The address at the other end of the connection. */
  peer?: string | undefined
  /** `X-Forwarded-For`, as it came. */
  forwardedFor?: string | undefined
}

/**
 * `proxies` are addresses and CIDR ranges whose `X-Forwarded-For` counts; by default nobody's does, since anybody can write one.
 * @throws TypeError for an entry that is neither
 */
export function createNetworkOf(proxies: readonly string[] = []) {
  const trusts = proxyAddress.compile([...proxies])

  /** What the proxies say, where the connection is one of theirs and they say an address. */
  function addressOf(peer: string, forwardedFor: string): string {
    const headers = { 'x-forwarded-for': forwardedFor }
    const said = proxyAddress(
      { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage,
      trusts,
    )
    return isIP(said) ? said : peer
  }

  /** The IPv4 address that the call comes from, or the /64 of its IPv6 address, which is as much as one household has. */
  return function networkOf({ peer = '', forwardedFor }: Origin): string {
    const asks = proxies.length > 0 && forwardedFor !== undefined && isIP(peer) > 0
    const address = asks ? addressOf(peer, forwardedFor) : peer
    if (isIPv4(address)) return address // Most are, and this runs at every call.
    return isIPv6(address) ? networkOfIPv6(address) : 'unknown'
  }
}

function networkOfIPv6(address: string): string {
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
