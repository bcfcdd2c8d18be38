// Callers who show who they are by a JWT (§7.4): whose tokens count, what is said of the others, and what an expiry ends.
import { connect } from '@a2a-kit/client'
import { realWorld } from '@a2a-kit/task-core'
import { exportSPKI, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { audience, issuer, type Minting, mint, startIssuer } from './support/issuer.ts'
import { readableLog } from './support/log.ts'
import { operate } from './support/operator.ts'
import { bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { json, raw } from './support/raw.ts'
import { shareProbe } from './support/shared-probe.ts'
import { talk03 } from './support/v03.ts'

let keys: Awaited<ReturnType<typeof startIssuer>>
beforeAll(async () => {
  keys = await startIssuer()
})
afterAll(() => keys.close())

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const callerTokens = { nightly: 'a-token-of-nightly-1' }
const start = (more: object = {}) => startProbe({ callerTokens, callerJwts: keys.trust, ...more })

/** What the agent says to a request with this token. */
async function refusal(probe: Probe, token: string) {
  const { status, headers, body, text } = await raw(`${probe.url}/a2a/tasks`, {
    headers: { ...json, ...bearer(token) },
  })
  expect(text).not.toContain(token)
  return { status, challenge: headers.get('www-authenticate'), message: body.error?.message as string }
}

test('a JWT says who calls over every binding, and its tasks are its subject’s alone', async () => {
  const probe = await start()
  for (const binding of bindings) {
    const alice = bearer(await keys.mint())
    const message = userMessage('ask What?')
    const { result } = await probe.call(binding, 'SendMessage', { message }, alice)
    const { id } = result.task
    // Another token of the same subject is the same caller.
    const again = bearer(await keys.mint({ expiresIn: 30 }))
    expect((await probe.call(binding, 'GetTask', { id }, again)).result.id).toBe(id)
    for (const other of [bearer(await keys.mint({ claims: { sub: 'bob' } })), bearer(callerTokens.nightly)]) {
      expect((await probe.call(binding, 'GetTask', { id }, other)).error!.reason).toBe('TASK_NOT_FOUND')
    }
  }
})

test('the subject "nightly" of a JWT is not the caller nightly who has a token', async () => {
  const probe = await start()
  const message = userMessage('ask What?')
  await probe.call('JSONRPC', 'SendMessage', { message }, bearer(callerTokens.nightly))
  const { result } = await probe.call(
    'JSONRPC',
    'ListTasks',
    {},
    bearer(await keys.mint({ claims: { sub: 'nightly' } })),
  )
  expect(result.totalSize).toBe(0)
})

const wrong: [what: string, how: Minting, why: string][] = [
  ['has expired', { expiresIn: -6 }, 'it has expired: get a new one'],
  ['never expires', { expiresIn: null }, 'it has no "exp"'],
  ['is not valid yet', { claims: { nbf: Date.now() / 1000 + 60 } }, 'its "nbf" is not what this agent takes'],
  ['is of another issuer', { claims: { iss: 'https://evil.example' } }, 'its "iss" is not'],
  ['is for another audience', { claims: { aud: 'https://others.example' } }, 'its "aud" is not'],
  ['has no issuer', { claims: { iss: undefined } }, 'it has no "iss"'],
  ['has no subject', { claims: { sub: undefined } }, 'it has no "sub"'],
  ['has an empty subject', { claims: { sub: '' } }, 'its "sub" is no name of a caller'],
  ['has half a character for a subject', { claims: { sub: '\ud800' } }, 'its "sub" is no name of a caller'],
  ['has a line end in its subject', { claims: { sub: 'alice\nbob' } }, 'its "sub" is no name of a caller'],
  ['has a subject that is no text', { claims: { sub: 7 } }, 'its "sub" is no name of a caller'],
  ['names a key that is not there', { header: { kid: 'second' } }, 'its key is not in the key set'],
]

describe('a token is refused, and told why, that', () => {
  let probe: Probe
  const shared = shareProbe(() => ({ callerTokens, callerJwts: keys.trust }))
  beforeAll(() => {
    probe = shared.probe
  })

  test.each(wrong)('%s', async (_, how, why) => {
    expect(await refusal(probe, await keys.mint(how))).toEqual({
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      message: expect.stringContaining(why),
    })
  })

  test('another key signed, or none, or the public key as if it were a secret', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey))
    const [, payload] = (await keys.mint()).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const [token, why] of [
      [await mint(privateKey), 'its signature does not match'],
      [await mint(secret, { header: { alg: 'HS256' } }), 'its algorithm is not taken here'],
      [`${none}.${payload}.e30`, 'its algorithm is not taken here'],
      ['e30.e30.e30', 'it is no JWT that can be read'],
      ['no-token-of-anybody', 'The token is not known here'],
    ] as const) {
      const { status, challenge, message } = await refusal(probe, token)
      expect([status, challenge], why).toEqual([401, 'Bearer error="invalid_token"'])
      expect(message).toContain(why)
    }
  })

  test('0.3 and HEAD are told the same in their own shape', async () => {
    const token = bearer(await keys.mint({ expiresIn: -60 }))
    const { rpc, rest } = talk03(`${probe.url}/a2a`)
    const one = await rpc('tasks/get', { id: 'T' }, token)
    expect([one.status, one.body.error.data.reason]).toEqual([401, 'UNAUTHENTICATED'])
    const other = await rest('GET', '/tasks/T', undefined, token)
    expect([other.status, other.body.data.reason]).toEqual([401, 'UNAUTHENTICATED'])
    const head = await raw(`${probe.url}/a2a/tasks`, { method: 'HEAD', headers: { ...json, ...token } })
    expect([head.status, head.text]).toEqual([401, ''])
    expect(head.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  })
})

test('a shared secret is taken instead of a key set, and only with HS256', async () => {
  const secret = new TextEncoder().encode('a-secret-of-thirty-two-bytes-or-more')
  const probe = await startProbe({ callerJwts: { issuer, audience, secret } })
  const good = await mint(secret, { header: { alg: 'HS256' } })
  expect((await refusal(probe, good)).status).toBe(200)
  for (const token of [
    await mint(secret, { header: { alg: 'HS512' } }),
    await keys.mint(),
    await mint(secret.slice(1), { header: { alg: 'HS256' } }),
  ]) {
    expect((await refusal(probe, token)).status).toBe(401)
  }
})

test('while the key set cannot be had a token is neither right nor wrong: 503, and few requests for it', async () => {
  const own = await startIssuer()
  onTestFinished(own.close)
  own.setAway(true)
  let ahead = 0
  const world = { ...realWorld, now: () => Date.now() + ahead }
  const { log, failures } = readableLog()
  const probe = await startProbe({ callerJwts: own.trust, world, log })
  const alice = bearer(await own.mint())
  for (const binding of bindings) {
    const { error } = await probe.call(binding, 'ListTasks', {}, alice)
    expect(error).toMatchObject({ reason: 'UNAVAILABLE', message: expect.not.stringContaining('127.0.0.1') })
  }
  const { status, headers } = await raw(`${probe.url}/a2a/tasks`, { headers: { ...json, ...alice } })
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  expect(own.asked()).toBe(1)
  expect(failures().map(({ err }) => err?.message)).toEqual([expect.stringContaining('200 OK')])
  own.setAway(false)
  ahead = 2000
  expect((await probe.call('JSONRPC', 'ListTasks', {}, alice)).result.totalSize).toBe(0)
  expect(own.asked()).toBe(2)
})

test('the card names each way to show who one is, and any one of them will do [§4.5]', async () => {
  const { card, url } = await start()
  const jwt = { scheme: 'Bearer', bearerFormat: 'JWT', description: `A JWT of ${issuer} for ${audience}.` }
  expect(card.securitySchemes).toEqual({
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    jwt: { httpAuthSecurityScheme: jwt },
  })
  expect(card.securityRequirements).toEqual([
    { schemes: { bearer: { list: ['caller'] } } },
    { schemes: { jwt: { list: ['caller'] } } },
  ])
  const { components, security } = (await raw(`${url}/openapi.json`)).body
  expect(components.securitySchemes.jwt).toEqual({ type: 'http', ...jwt, scheme: 'bearer' })
  expect(security).toEqual([{ bearer: [] }, { jwt: [] }])
})

describe('when a token expires', () => {
  // The agent's clock stands a millisecond before it takes the token no longer, so that no pause of the machine is too long.
  const second = Math.floor(Date.now() / 1000)
  const world = { ...realWorld, now: () => second * 1000 + 999 }
  const lastMoment = () => keys.mint({ claims: { exp: second - 4 } })
  const message = userMessage('authorize deploy')

  test.each(bindings)('its stream over %s ends, and says why', async (binding) => {
    const probe = await start({ world })
    const headers = bearer(await lastMoment())
    const { result } = await probe.call(binding, 'SendMessage', { message }, headers)
    const stream = await probe.stream(binding, 'SubscribeToTask', { id: result.task.id }, headers)
    await expect(Array.fromAsync(stream.frames)).rejects.toThrow('it has expired, and the stream with it')
  })

  test('the client’s watch goes on with the next one', async () => {
    const probe = await start({ world })
    const tokens = [keys.mint, lastMoment, lastMoment, keys.mint]
    let asked = 0
    let id = ''
    const client = await connect(probe.url, {
      async token() {
        asked += 1
        if (asked === tokens.length) await operate(probe, 'approve', id)
        return (tokens[asked - 1] ?? keys.mint)()
      },
      retry: { firstMs: 1 },
    })
    const { task } = await client.sendMessage({ ...message, role: 'ROLE_USER' })
    id = task!.id
    const states = await Array.fromAsync(client.watch(id), ({ task }) => task.status.state)
    expect([states[0], states.at(-1)]).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED'])
    expect(asked).toBeGreaterThanOrEqual(tokens.length)
  })
})
