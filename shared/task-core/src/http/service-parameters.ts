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
  const inQuery = Object.entries(query as Record<string, unknown>)
    .filter(([name]) => name.toLowerCase() === 'a2a-version')
    .map(([, value]) => value)
  return [headers['a2a-version'], ...inQuery].flat().flatMap((value) => String(value ?? '').split(','))
}

function serviceParameters(request: FastifyRequest, version: Version): ServiceParameters {
  const { headers } = request
  const names = version === '0.3' ? ['a2a-extensions', 'x-a2a-extensions'] : ['a2a-extensions']
  const { 'last-event-id': lastEventId, 'x-forwarded-for': forwarded } = headers
  return {
    versions: versionsOf(request),
    extensions: names.flatMap((name) => headers[name] ?? []),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    authorization: headers.authorization,
    peer: request.socket.remoteAddress,
    forwardedFor: typeof forwarded === 'string' ? forwarded : forwarded?.join(','),
  }
}
