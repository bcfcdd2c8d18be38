import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type AgentCard, canonicalCard } from '@a2a-kit/task-core/protocol'
import { exportJWK, FlattenedSign, type JWK } from 'jose'
import { expect, test } from 'vitest'
import { CardError } from './errors.ts'
import { type Trust, verifyCard } from './signature.ts'

const cardUrl = 'https://agent.example/.well-known/agent-card.json'
const jku = 'https://agent.example/.well-known/jwks.json'
const card = {
  name: 'signed',
  description: 'Größe €',
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  version: '1',
  capabilities: { streaming: false, extensions: [{ uri: 'urn:x', params: { ratio: 0.1 } }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'does', tags: ['t'] }],
} satisfies AgentCard

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwkOf = async (key: KeyObject, kid: string): Promise<JWK> => ({ ...(await exportJWK(key)), kid })

async function sign(key: KeyObject | Uint8Array, header: object = {}, of: AgentCard = card) {
  const head = { alg: 'ES256', typ: 'JOSE', kid: 'k1', jku, ...header }
  const jws = await new FlattenedSign(Buffer.from(canonicalCard(of)))
    .setProtectedHeader(head as never)
    .sign(key)
  return { protected: jws.protected!, signature: jws.signature }
}

const good = keyPair()
const served = { keys: [await jwkOf(good.publicKey, 'k1')] }
const verify = (signed: object, trust: Trust = {}, keys: unknown = served) =>
  verifyCard(signed as AgentCard, { trust, cardUrl, fetchJson: async () => keys })
const signed = { ...card, signatures: [await sign(good.privateKey)] }

test('CARD-SIGNATURE: a card is verified with the key that its own origin serves, whatever the order of its fields', async () => {
  const reordered = Object.fromEntries(Object.entries(signed).toReversed())
  expect(await verify(reordered)).toEqual({ kid: 'k1', alg: 'ES256', jku })
})

test('CARD-SIGNATURE: one good signature is enough, beside a stale one', async () => {
  const stale = await sign(keyPair().privateKey, { kid: 'old' })
  expect(await verify({ ...signed, signatures: [stale, ...signed.signatures] })).toMatchObject({ kid: 'k1' })
})

test('a key that is trusted beforehand needs no address', async () => {
  const keys = [await jwkOf(good.publicKey, 'k1')]
  const noKeys = { ...card, signatures: [await sign(good.privateKey, { jku: undefined })] }
  expect(await verify(noKeys, { keys }, undefined)).toEqual({ kid: 'k1', alg: 'ES256' })
})

test.each([
  ['a skill that was altered', { ...signed, skills: [{ ...card.skills[0], description: 'does more' }] }],
  [
    'an address that was altered',
    { ...signed, supportedInterfaces: [{ ...card.supportedInterfaces[0], url: 'https://evil.example' }] },
  ],
  ['a field that was added', { ...signed, later: true }],
  ['a field that was taken away', { ...signed, version: undefined }],
  ['a capability that was switched', { ...signed, capabilities: { ...card.capabilities, streaming: true } }],
  ['a text that has no canonical form', { ...signed, name: '\ud800' }],
  ['no signature', card],
  ['signatures that are none', { ...card, signatures: [null, {}, 'x', { protected: '!', signature: '' }] }],
])('CARD-SIGNATURE: %s fails closed', async (_, altered) => {
  await expect(verify(altered)).rejects.toThrow(CardError)
})

test.each([
  [
    'the algorithm none',
    {
      ...card,
      signatures: [
        { protected: Buffer.from('{"alg":"none","kid":"k1"}').toString('base64url'), signature: '' },
      ],
    },
    /algorithm none is not accepted/,
  ],
  [
    'a secret made of the public key',
    { ...card, signatures: [await sign(Buffer.from(JSON.stringify(served.keys[0])), { alg: 'HS256' })] },
    /algorithm HS256 is not accepted/,
  ],
  [
    'a key id that is not served',
    { ...card, signatures: [await sign(good.privateKey, { kid: 'k2' })] },
    /https:\/\/agent\.example has no key k2/,
  ],
  [
    'keys from another origin',
    { ...card, signatures: [await sign(good.privateKey, { jku: 'https://evil.example/jwks.json' })] },
    /keys from https:\/\/evil\.example are not trusted/,
  ],
  ['no key id', { ...card, signatures: [await sign(good.privateKey, { kid: undefined })] }, /names no key/],
  ['a number as key id', { ...card, signatures: [await sign(good.privateKey, { kid: 1 })] }, /names no key/],
  ['a list as address', { ...card, signatures: [await sign(good.privateKey, { jku: [jku] })] }, /not known/],
])('CARD-SIGNATURE: %s is not accepted, and the error says why', async (_, altered, message) => {
  await expect(verify(altered)).rejects.toThrow(message)
})

test('keys that have expired or were revoked are not used [CARD-SIGN-004]', async () => {
  const [key] = served.keys
  await expect(verify(signed, {}, { keys: [{ ...key, exp: 1 }] })).rejects.toThrow(/k1 has expired/)
  await expect(verify(signed, {}, { keys: [] })).rejects.toThrow(/has no key k1/)
  await expect(verify(signed, {}, { keys: [{ ...key, use: 'enc' }] })).rejects.toThrow(/not for signatures/)
  await expect(verify(signed, {}, { keys: [{ ...key, alg: 'ES384' }] })).rejects.toThrow(/not for ES256/)
})

test('keys over plain http count only from the very origin of the card', async () => {
  const plain = {
    ...card,
    signatures: [await sign(good.privateKey, { jku: 'http://keys.example/jwks.json' })],
  }
  await expect(verify(plain, { origins: ['http://keys.example'] })).rejects.toThrow(/no secure channel/)
})

test('a card with thousands of signatures makes few requests for keys, and a short error', async () => {
  const one = await sign(keyPair().privateKey)
  const many = { ...card, signatures: Array(5000).fill(one) } as AgentCard
  let asked = 0
  const fetchJson = async () => {
    asked += 1
    return served
  }
  const verdict = await verifyCard(many, { trust: {}, cardUrl, fetchJson }).catch((error: Error) => error)
  expect(verdict).toBeInstanceOf(CardError)
  expect((verdict as Error).message.length).toBeLessThan(1000)
  expect(asked).toBe(10)
})

test('keys that are named are the only ones that count', async () => {
  const other = await jwkOf(keyPair().publicKey, 'k1')
  await expect(verify(signed, { keys: [other] })).rejects.toThrow(/signature verification failed/)
  await expect(verify(signed, { keys: [] })).rejects.toThrow(
    /keys from https:\/\/agent\.example are not trusted/,
  )
  expect(await verify(signed, { keys: [other], origins: [] }).catch(() => 'refused')).toBe('refused')
})
