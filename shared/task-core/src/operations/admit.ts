// Admits a call, whichever binding it came by: its version (§3.6), the extensions that it activates (§4.6), and who calls (§7.4).
import { hash, timingSafeEqual } from 'node:crypto'
import { A2AError, type AgentCard, replayExtension } from '../protocol/index.ts'
import type { Caller } from './context.ts'

/** What a request says beside its parameters: HTTP headers and query, or gRPC metadata (§3.2.6). */
export interface ServiceParameters {
  /** Every `A2A-Version` that was given. */
  versions: readonly string[]
  /** Every value of `A2A-Extensions`, each a comma-separated list. */
  extensions: readonly string[]
  lastEventId?: string | undefined
  authorization?: string | undefined
}

/** The versions of the protocol that are served. */
export type Version = '1.0' | '0.3'

export interface Admitted {
  caller: Caller
  /** The extensions that are active: asked for, and declared on the card. */
  extensions: readonly string[]
  /** Set where the client activated the replay extension and sent the id. */
  lastEventId?: string
}

/** The tokens by the names of the callers that hold them. */
export type CallerTokens = { readonly [name: string]: string }

export type Admit = ReturnType<typeof createAdmit>

/** Where no tokens are set, every task belongs to this one. */
const anyone: Caller = { id: 'anyone', authenticated: false }

export function createAdmit(card: AgentCard, tokens: CallerTokens = {}) {
  const known = Object.entries(tokens).map(([name, token]) => ({
    caller: { id: name, authenticated: true },
    digest: digestOf(token),
  }))

  /**
   * For an operation of protocol version `version`. Changes nothing.
   * @throws A2AError VersionNotSupportedError, UnauthenticatedError, ExtensionSupportRequiredError
   */
  return function admit(given: ServiceParameters, version: Version): Admitted {
    checkVersion(given.versions, version)
    const caller = known.length === 0 ? anyone : authenticate(given.authorization)
    const extensions = activate(given.extensions)
    const replays = given.lastEventId !== undefined && extensions.includes(replayExtension)
    return { caller, extensions, ...(replays && { lastEventId: given.lastEventId! }) }
  }

  function authenticate(authorization = ''): Caller {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? []
    const digest = token === undefined ? undefined : digestOf(token)
    const found = digest && known.find((one) => timingSafeEqual(one.digest, digest))
    if (found) return found.caller
    const why = token === undefined ? 'This agent wants to know who calls' : 'The token is not known here'
    throw new A2AError('UnauthenticatedError', `${why}: send Authorization: Bearer <token>.`)
  }

  function activate(values: readonly string[]): string[] {
    const asked = new Set(values.flatMap((value) => value.split(',')).map((uri) => uri.trim()))
    const declared = card.capabilities.extensions ?? []
    const missing = declared.filter(({ uri, required }) => required && !asked.has(uri)).map(({ uri }) => uri)
    if (missing.length > 0) {
      throw new A2AError(
        'ExtensionSupportRequiredError',
        `This agent works only with clients that support ${missing.join(' and ')}: name it in A2A-Extensions.`,
        { metadata: { requiredExtensions: missing.join(',') } },
      )
    }
    return declared.map(({ uri }) => uri).filter((uri) => asked.has(uri))
  }
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

const patterns = { '1.0': /^1\.0(\.\d+)?$/, '0.3': /^0\.3(\.\d+)?$/ }

/** Whether `text`, as a client wrote it, names `version`: patch digits do not count (§3.6). */
export const isVersion = (text: string, version: Version): boolean => patterns[version].test(text.trim())

/** Patch digits do not count; no version at all means 0.3 (§3.6.2). */
function checkVersion(given: readonly string[], version: Version): void {
  const versions = given.map((value) => value.trim()).filter(Boolean)
  if (versions.length === 0 && version === '0.3') return
  if (versions.length > 0 && versions.every((one) => isVersion(one, version))) return
  const said =
    versions.length > 0
      ? `A2A version ${versions.map((one) => `"${one.slice(0, 20)}"`).join(' and ')} is not supported here`
      : 'A request without A2A-Version means version 0.3, and this is an operation of 1.0'
  const otherwise = version === '0.3' ? ', or use the names of version 1.0' : ''
  throw new A2AError('VersionNotSupportedError', `${said}: send A2A-Version: ${version}${otherwise}.`, {
    metadata: { supportedVersions: version },
  })
}
