// The service parameters: A2A-Version, from a header or the query, and A2A-Extensions (§3.2.6, §3.6).
import type { FastifyRequest } from 'fastify'
import { A2AError, replayExtension } from '../protocol/index.ts'

const served = '1.0'

/**
 * Checks the version that the client speaks, in a header or, by a name in any case, in the query; patch digits do not matter.
 * @throws A2AError VersionNotSupportedError, before anything is done
 */
export function checkVersion(request: FastifyRequest): void {
  const inQuery = Object.entries(request.query as Record<string, unknown>)
    .filter(([name]) => name.toLowerCase() === 'a2a-version')
    .map(([, value]) => value)
  const versions = [request.headers['a2a-version'], ...inQuery]
    .flat()
    .map((value) => String(value ?? '').trim())
    .filter(Boolean)
  if (versions.length > 0 && versions.every((version) => /^1\.0(\.\d+)?$/.test(version))) return
  const asked =
    versions.length > 0
      ? `A2A version ${versions.map((version) => `"${version.slice(0, 20)}"`).join(' and ')}`
      : 'A request without A2A-Version means version 0.3, which'
  throw new A2AError(
    'VersionNotSupportedError',
    `${asked} is not supported here: send the header A2A-Version: ${served}.`,
    { metadata: { supportedVersions: served } },
  )
}

/** The extensions that the client activates, by URI. */
export function activeExtensions(request: FastifyRequest): string[] {
  const header = request.headers['a2a-extensions'] as string | string[] | undefined
  return [header ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((uri) => uri.trim())
    .filter(Boolean)
}

/** What the client sends to have missed events replayed, if it activated the extension. */
export function lastEventId(request: FastifyRequest): { lastEventId?: string } {
  const id = request.headers['last-event-id']
  if (typeof id !== 'string' || !activeExtensions(request).includes(replayExtension)) return {}
  return { lastEventId: id }
}
