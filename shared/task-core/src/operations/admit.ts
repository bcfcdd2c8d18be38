// Admits a call, whichever binding it came by: its version (§3.6), who calls (§7.4), how often, and the extensions that it activates (§4.6).
import { A2AError, type AgentCard, replayExtension } from '../protocol/index.ts'
import { type CallerOptions, createIdentify } from './callers.ts'
import type { Caller } from './context.ts'
import { countedAs, createRate } from './limits.ts'
import type { Origin } from './networks.ts'

/** What a request says beside its parameters: HTTP headers and query, or gRPC metadata (§3.2.6), and where it comes from. */
export interface ServiceParameters extends Origin {
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

export interface AdmitOptions extends CallerOptions {
  /** How many requests a second are taken from one caller; 0, the default, is no limit. */
  maxRequestsPerSecond?: number
}

export type Admit = ReturnType<typeof createAdmit>

export function createAdmit(card: AgentCard, { maxRequestsPerSecond = 0, ...options }: AdmitOptions = {}) {
  const requests = createRate('requests', maxRequestsPerSecond, 1)
  const identify = createIdentify(options, requests)

  /**
   * For an operation of protocol version `version`. Stores nothing.
   * @throws A2AError VersionNotSupportedError, UnauthenticatedError, TooManyRequestsError, UnavailableError, ExtensionSupportRequiredError
   */
  return async function admit(given: ServiceParameters, version: Version): Promise<Admitted> {
    checkVersion(given.versions, version)
    const caller = await identify(given)
    await requests.take(countedAs(caller))
    const extensions = activate(given.extensions)
    const replays = given.lastEventId !== undefined && extensions.includes(replayExtension)
    return { caller, extensions, ...(replays && { lastEventId: given.lastEventId! }) }
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
