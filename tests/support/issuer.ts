// An issuer of JWTs for a test: a key, the key set over HTTP, and tokens with whatever a test puts into them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const issuer = 'https://issuer.example'
export const audience = 'https://agents.example'

export interface Minting {
  claims?: Record<string, unknown>
  header?: { alg?: string; kid?: string }
  /** Seconds from now; null leaves the claim out. */
  expiresIn?: number | null
}

type Key = Parameters<SignJWT['sign']>[0]

/** A token of alice for this audience that holds a minute, signed with `key`; `with` says what is otherwise. */
export function mint(key: Key, { claims = {}, header = {}, expiresIn = 60 }: Minting = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: issuer,
    aud: audience,
    sub: 'alice',
    ...(expiresIn !== null && { exp: now + expiresIn }),
    ...claims,
  }
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(key)
}

/** A server with the key set of one key, `first`. Close it when the test is over. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const key = { ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256' }
  let asked = 0
  let away = false
  const server = createServer((_request, response) => {
    asked += 1
    if (away) response.writeHead(500).end()
    else response.end(JSON.stringify({ keys: [key] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    trust: { issuer, audience, jwksUrl: `http://127.0.0.1:${port}/keys` },
    publicKey,
    privateKey,
    /** How often the keys were asked for. */
    asked: () => asked,
    /** Whether it answers 500 from now on. */
    setAway: (now: boolean) => {
      away = now
    },
    mint: (more?: Minting) => mint(privateKey, more),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
