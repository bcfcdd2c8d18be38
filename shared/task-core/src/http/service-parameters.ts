// The service parameters of an HTTP request: A2A-Version from a header or the query, the others from headers (§3.2.6, §9.2, §11.2).
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admit, Call, ServiceParameters, Version } from '../operations/index.ts'

/**
 * The call that the request makes, for the operation; the answer names the extensions that are active.
 * @throws A2AError as `admit` does
 */
export async function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  admit: Admit,
  version: Version = '1.0',
): Promise<Call> {
  const { extensions, ...admitted } = await admit(serviceParameters(request, version), version)
  if (extensions.length > 0) reply.header(extensionsHeader[version], extensions.join(', '))
  return { ...admitted, version, left: request.left }
}

const extensionsHeader = { '1.0': 'A2A-Extensions', '0.3': 'X-A2A-Extensions' }

/** Every `A2A-Version` that a request gives, in its header or its query. Headers of the same name come here as one, joined by commas. */
export function versionsOf({ headers, query }: FastifyRequest): string[] {
  const inHeader = valuesIn(headers['a2a-version'])
  const inQuery = Object.entries(query as Record<string, string | string[]>)
  if (inQuery.length === 0) return inHeader
  return [
    ...inHeader,
    ...inQuery.flatMap(([name, value]) => (name.toLowerCase() === 'a2a-version' ? valuesIn(value) : [])),
  ]
}

/** What a header or a parameter says, given once, several times, or as a list with commas. */
const valuesIn = (given: string | string[] | undefined): string[] =>
  typeof given === 'string' ? given.split(',') : (given?.flatMap(valuesIn) ?? [])

function serviceParameters(request: FastifyRequest, version: Version): ServiceParameters {
  const { headers } = request
  const extensions = valuesIn(headers['a2a-extensions'])
  const { 'last-event-id': lastEventId, 'x-forwarded-for': forwarded } = headers
  return {
    versions: versionsOf(request),
    extensions: version === '0.3' ? [...extensions, ...valuesIn(headers['x-a2a-extensions'])] : extensions,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    authorization: headers.authorization,
    peer: request.socket.remoteAddress,
    forwardedFor: typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
  }
}
