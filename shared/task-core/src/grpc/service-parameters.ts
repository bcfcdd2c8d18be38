// The service parameters of a gRPC call, which are metadata (§10.2).
import type { Metadata } from '@grpc/grpc-js'
import type { ServiceParameters } from '../operations/index.ts'

/** `peer` is the address at the other end with its port. Entries of the same name come here as one, joined by commas, as HTTP/2 has it. */
export function serviceParameters(metadata: Metadata, peer: string): ServiceParameters {
  const all = (name: string) => metadata.get(name).map(String)
  const [lastEventId] = all('last-event-id')
  const [authorization] = all('authorization')
  const forwarded = all('x-forwarded-for')
  return {
    versions: all('a2a-version').flatMap((value) => value.split(',')),
    extensions: all('a2a-extensions'),
    lastEventId,
    authorization,
    peer: peer.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'),
    forwardedFor: forwarded.length > 0 ? forwarded.join(',') : undefined,
  }
}
