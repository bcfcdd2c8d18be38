import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfiguration } from './index.ts'

const read = (env: NodeJS.ProcessEnv) => readConfiguration(env, { port: 1 })
const whose = { CALLER_JWT_ISSUER: 'https://issuer.example', CALLER_JWT_AUDIENCE: 'https://agents.example' }
const keys = 'https://issuer.example/keys'

async function secretFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'secret'), text)
  return join(folder, 'secret')
}

test('JWTs count by a key set, or by a secret, whose line end does not', async () => {
  const trust = { issuer: whose.CALLER_JWT_ISSUER, audience: whose.CALLER_JWT_AUDIENCE }
  expect(read({}).callerJwts).toBeUndefined()
  for (const jwksUrl of [keys, 'http://localhost:8080/keys', 'http://[::1]/keys', 'http://127.0.0.1/keys']) {
    expect(read({ ...whose, CALLER_JWKS_URL: jwksUrl }).callerJwts).toEqual({ ...trust, jwksUrl })
  }
  const secret = 's'.repeat(32)
  for (const text of [secret, `${secret}\n`, `${secret}\r\n`]) {
    const { callerJwts } = read({ ...whose, CALLER_JWT_SECRET_FILE: await secretFile(text) })
    expect(callerJwts).toMatchObject(trust)
    expect(Buffer.from((callerJwts as { secret: Uint8Array }).secret).toString()).toBe(secret)
  }
})

test.each([
  [
    'an address that others can read along',
    { ...whose, CALLER_JWKS_URL: 'http://issuer.example/keys' },
    'CALLER_JWKS_URL must be an https address',
  ],
  [
    'an address that is none',
    { ...whose, CALLER_JWKS_URL: 'keys' },
    'CALLER_JWKS_URL must be an https address',
  ],
  [
    'no issuer',
    { ...whose, CALLER_JWT_ISSUER: undefined, CALLER_JWKS_URL: keys },
    'CALLER_JWT_ISSUER is not set',
  ],
  [
    'no audience',
    { ...whose, CALLER_JWT_AUDIENCE: undefined, CALLER_JWKS_URL: keys },
    'CALLER_JWT_AUDIENCE is not set',
  ],
  ['no keys', whose, 'need CALLER_JWKS_URL or CALLER_JWT_SECRET_FILE'],
  [
    'two sorts of keys',
    { ...whose, CALLER_JWKS_URL: keys, CALLER_JWT_SECRET_FILE: 'x' },
    'exclude each other',
  ],
  [
    'a secret that is not there',
    { ...whose, CALLER_JWT_SECRET_FILE: '/none/secret' },
    'CALLER_JWT_SECRET_FILE cannot be read',
  ],
  ['a caller named anyone', { CALLER_TOKENS: 'anyone:a-token-of-sixteen' }, 'names a caller "anyone"'],
  [
    'a proxy that is no address',
    { TRUST_PROXY: '10.0.0.0/8,proxy.example' },
    'TRUST_PROXY has "proxy.example"',
  ],
  ['a limit below nothing', { MAX_REQUESTS_PER_SECOND: '-1' }, 'MAX_REQUESTS_PER_SECOND'],
])('%s is refused', (_, env, why) => {
  expect(() => read(env)).toThrow(why)
})

test('a secret that can be guessed is refused, and not shown', async () => {
  const CALLER_JWT_SECRET_FILE = await secretFile(`${'s'.repeat(31)}\n`)
  const start = () => read({ ...whose, CALLER_JWT_SECRET_FILE })
  expect(start).toThrow('CALLER_JWT_SECRET_FILE has 31 bytes')
  expect(start).not.toThrow('ssss')
})

test('each limit is read, and 0 is no limit', () => {
  const { settings } = read({
    MAX_REQUESTS_PER_SECOND: '1',
    MAX_MESSAGES_PER_MINUTE: '2',
    MAX_AUTH_FAILURES_PER_MINUTE: '3',
    MAX_STREAMS_PER_CALLER: '4',
    MAX_OPEN_TASKS_PER_CALLER: '0',
    TRUST_PROXY: '10.0.0.0/8, ::1',
  })
  expect(settings).toMatchObject({
    maxRequestsPerSecond: 1,
    maxMessagesPerMinute: 2,
    maxAuthFailuresPerMinute: 3,
    maxStreamsPerCaller: 4,
    maxOpenTasksPerCaller: 0,
    trustProxy: ['10.0.0.0/8', '::1'],
  })
})
