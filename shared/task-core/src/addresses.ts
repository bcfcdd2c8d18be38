// The addresses of an agent that listens: what its card and its links tell others.
import { isIPv6, type Server } from 'node:net'
import type { AgentInterface } from './protocol/index.ts'
import { withInterfacesOf03 } from './v03/index.ts'

/** The interfaces of the card, in order of preference: those of 1.0, then those of 0.3 at the same addresses (§8.3.1). */
export function interfacesAt(url: string, grpcUrl: string | undefined): AgentInterface[] {
  const bindings = [
    ['JSONRPC', url],
    ['HTTP+JSON', url],
    ...(grpcUrl === undefined ? [] : [['GRPC', grpcUrl] as const]),
  ] as const
  return withInterfacesOf03(
    bindings.map(([protocolBinding, at]) => ({ url: at, protocolBinding, protocolVersion: '1.0' })),
  )
}

/** The port that the server got, which matters where it was told to take any. */
export const portOf = (address: ReturnType<Server['address']>): number | undefined =>
  typeof address === 'object' ? address?.port : undefined

/** A name for this machine that others can use: never a wildcard address. */
export const reachable = (host: string): string => {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
