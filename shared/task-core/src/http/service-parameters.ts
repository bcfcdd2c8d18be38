// The service parameters of an HTTP request: A2A-Version from a header or the query, the others from headers (§3.2.6, §9.2, §11.2).
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admit, Call, ServiceParameters, Version } from '../operations/index.ts'

/**
 * The call that the request makes, for the operation; the answer names the extensions that are active.
 * @throws A2AError as `admit` does
 */
export function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  admit: Admit,
  version: Version = '1.0',
): Call {
  const { extensions, ...admitted } = admit(serviceParameters(request), version)
  if (extensions.length > 0) reply.header('A2A-Extensions', extensions.join(', '))
  return { ...admitted, version, signal: request.left.signal }
}

function serviceParameters({ headers, query }: FastifyRequest): ServiceParameters {
  const inQuery = Object.entries(query as Record<string, unknown>)
    .filter(([name]) => name.toLowerCase() === 'a2a-version')
    .map(([, value]) => value)
  const lastEventId = headers['last-event-id']
  return {
    versions: [headers['a2a-version'], ...inQuery].flat().map((value) => String(value ?? '')),
    extensions: [headers['a2a-extensions'] ?? []].flat(),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    authorization: headers.authorization,
  }
}
