// A2A-Version and A2A-Extensions, from headers or the query (§3.2.6, §3.6).
import type { FastifyRequest } from 'fastify'
import { A2AError, replayExtension } from '../protocol/index.ts'

const served = '1.0'

/**
 * Checks the version that the client speaks; patch digits do not matter.
 * @throws A2AError VersionNotSupportedError, before anything is done
 */
export function checkVersion(request: FastifyRequest): void {
  const header = single(request.headers['a2a-version'])
  const query = single((request.query as Record<string, unknown>)['A2A-Version'])
  if (header && query && header !== query) {
    throw new A2AError(
      'InvalidRequestError',
      `The A2A-Version header says ${header}, the query ${query}: send one.`,
    )
  }
  const version = header || query
  if (version !== undefined && /^1\.0(\.\d+)?$/.test(version)) return
  const asked = version
    ? `A2A version "${version.slice(0, 20)}"`
    : 'A request without A2A-Version means version 0.3, which'
  throw new A2AError(
    'VersionNotSupportedError',
    `${asked} is not supported here: send the header A2A-Version: ${served}.`,
    {
      metadata: { supportedVersions: served },
    },
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

const single = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.join(',') : undefined
