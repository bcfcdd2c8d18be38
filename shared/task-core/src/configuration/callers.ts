// Who may call an agent, and with what its cards are signed.
import { anyone, type CallerTokens, type JwtTrust } from '../operations/index.ts'
import type { Part, Values } from './part.ts'
import { patterns, readKeyFile, readTokens } from './values.ts'

export interface Callers {
  /** The tokens of the callers by their names; undefined if there are none. */
  callerTokens: CallerTokens | undefined
  /** Whose JWTs count; undefined if nobody's do. Without either everybody may call. */
  callerJwts: JwtTrust | undefined
  /** The private key that signs the cards. */
  signingKey: string | undefined
}

const text = { type: 'string', minLength: 1 } as const

export const callers: Part<Callers> = {
  properties: {
    CALLER_TOKENS: { type: 'string', pattern: patterns.CALLER_TOKENS },
    CALLER_JWKS_URL: text,
    CALLER_JWT_SECRET_FILE: text,
    CALLER_JWT_ISSUER: text,
    CALLER_JWT_AUDIENCE: text,
    SIGNING_KEY_FILE: text,
  },
  read: (values) => ({
    callerTokens: values.CALLER_TOKENS === undefined ? undefined : namedTokens(values.CALLER_TOKENS),
    callerJwts: readJwtTrust(values),
    signingKey:
      values.SIGNING_KEY_FILE === undefined
        ? undefined
        : readKeyFile('SIGNING_KEY_FILE', values.SIGNING_KEY_FILE).toString(),
  }),
}

function namedTokens(list: string): CallerTokens {
  const tokens = readTokens(list)
  if (!Object.hasOwn(tokens, anyone)) return tokens
  throw new Error(
    `CALLER_TOKENS names a caller "${anyone}", to whom the tasks belong that were made without a token: take another name.`,
  )
}

function readJwtTrust(values: Values): JwtTrust | undefined {
  const { CALLER_JWKS_URL: jwksUrl, CALLER_JWT_SECRET_FILE: secretFile } = values
  const { CALLER_JWT_ISSUER: issuer, CALLER_JWT_AUDIENCE: audience } = values
  if (jwksUrl === undefined && secretFile === undefined) {
    if (issuer === undefined && audience === undefined) return undefined
    throw new Error(
      'CALLER_JWT_ISSUER and CALLER_JWT_AUDIENCE need CALLER_JWKS_URL or CALLER_JWT_SECRET_FILE beside them.',
    )
  }
  if (jwksUrl !== undefined && secretFile !== undefined) {
    throw new Error('CALLER_JWKS_URL and CALLER_JWT_SECRET_FILE exclude each other: set one of them.')
  }
  if (issuer === undefined || audience === undefined) {
    const missing = issuer === undefined ? 'CALLER_JWT_ISSUER' : 'CALLER_JWT_AUDIENCE'
    throw new Error(`${missing} is not set: without it a JWT that was made for others would count here.`)
  }
  return jwksUrl === undefined
    ? { issuer, audience, secret: readSecret(secretFile) }
    : { issuer, audience, jwksUrl: checkKeyUrl(jwksUrl) }
}

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whoever can change the keys on their way is every caller. */
function checkKeyUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.test(url.hostname))) return text
  throw new Error('CALLER_JWKS_URL must be an https address, or an http one on this machine.')
}

const shortestSecret = 32

/** The bytes of the file without the line ends after them, which an editor may have put there. */
function readSecret(file: string): Uint8Array {
  const bytes = readKeyFile('CALLER_JWT_SECRET_FILE', file)
  let length = bytes.length
  while (length > 0 && (bytes[length - 1] === 0x0a || bytes[length - 1] === 0x0d)) length -= 1
  if (length >= shortestSecret) return bytes.subarray(0, length)
  throw new Error(
    `CALLER_JWT_SECRET_FILE has ${length} bytes, and a secret of fewer than ${shortestSecret} can be guessed.`,
  )
}
