// Who asks, on the operator's page: the caller by its token, and what the card says that was set for it, with the worth of its signature.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgentCard, canonicalCard } from '@a2a-kit/task-core/protocol'
import { exportJWK, FlattenedSign } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { ask, asking } from './support/asking-agent.ts'
import { startProbe } from './support/probe.ts'

const planner = 'planner-0123456789'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] }
const card = {
  name: 'Planner',
  provider: { organization: 'Example <b>Org</b>', url: 'https://example.com' },
  supportedInterfaces: [],
} as unknown as AgentCard

async function signedFor(origin: string, jku = `${origin}/.well-known/jwks.json`): Promise<AgentCard> {
  const { protected: head, signature } = await new FlattenedSign(Buffer.from(canonicalCard(card)))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', jku } as never)
    .sign(privateKey)
  return { ...card, signatures: [{ protected: head!, signature }] }
}

async function site(answer: (origin: string) => RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    answer(origin)(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin, asked }
}

/** A site with the card that `make` makes for its origin, and the keys. */
const cardSite = (make: (origin: string) => object | Promise<object>) =>
  site((origin) => async (request, response) => {
    const body = request.url?.endsWith('jwks.json') ? keys : await make(origin)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body))
  })

/** What the operator reads of a caller whose card is at `address`. */
async function requesterOf(address: string, caller = 'planner') {
  const operators = { callerCards: { [caller]: address } }
  const probe = await startProbe({ agent: asking, callerTokens: { planner }, operators })
  const id = await ask(probe, {}, { token: planner })
  const read = async (accept: string) => {
    const answer = await fetch(`${probe.url}/approve/${id}`, { headers: { Accept: accept } })
    return { status: answer.status, text: await answer.text() }
  }
  const [json, page] = [await read('application/json'), await read('text/html')]
  expect([json.status, page.status]).toEqual([200, 200])
  const text = page.text.replace(/<style>.*<\/style>|<[^>]*>/gs, '').replace(/\s+/g, ' ')
  return { requester: JSON.parse(json.text).requester, text, id, probe }
}

test('a card whose signature holds is told with the key, and that it came without TLS', async () => {
  const { origin, asked } = await cardSite(signedFor)
  const { requester, text } = await requesterOf(origin)
  expect(requester).toEqual({
    identified: true,
    name: 'planner',
    card: {
      url: `${origin}/.well-known/agent-card.json`,
      name: 'Planner',
      provider: 'Example <b>Org</b>',
      signature: 'verified',
      key: 'k1',
      keyFrom: `${origin}/.well-known/jwks.json`,
    },
  })
  expect(text).toContain('planner, who was identified by its token when it made the task.')
  expect(text).toContain('says that it is Planner of Example &#60;b&#62;Org&#60;/b&#62;.')
  expect(text).toContain(`The signature of the card was verified, by the key k1 from ${origin}/`)
  expect(text).toContain('came without TLS')
  expect(asked.sort(), 'asked once for both readings').toEqual([
    '/.well-known/agent-card.json',
    '/.well-known/jwks.json',
  ])
})

test('a card that was changed after it was signed is not vouched for', async () => {
  const { origin } = await cardSite(async (at) => ({ ...(await signedFor(at)), name: 'Trusted Planner' }))
  const { requester, text } = await requesterOf(origin)
  expect(requester.card).toMatchObject({ signature: 'not verified', name: 'Trusted Planner' })
  expect(text).toContain('The signature of the card was not verified, so do not rely on these names')
})

test('keys are asked for at the card’s own origin alone, whatever its signature says', async () => {
  const other = await cardSite(() => ({}))
  const { origin } = await cardSite((at) => signedFor(at, `${other.origin}/.well-known/jwks.json`))
  const { requester } = await requesterOf(origin)
  expect(requester.card).toMatchObject({
    signature: 'not verified',
    why: expect.stringContaining('not trusted'),
  })
  expect(other.asked).toEqual([])
})

test('a card without a signature is told as that', async () => {
  const { origin } = await cardSite(() => card)
  const { requester, text } = await requesterOf(`${origin}/cards/planner.json`)
  expect(requester.card).toMatchObject({ url: `${origin}/cards/planner.json`, signature: 'none' })
  expect(text).toContain('The card has no signature: nobody vouches for these names.')
})

const redirecting = (to: string) =>
  site(() => (_, response) => response.writeHead(302, { Location: to }).end())
const broken: [what: string, address: () => Promise<{ origin: string }>, problem: string][] = [
  ['nobody answers', async () => ({ origin: 'http://127.0.0.1:1' }), 'ECONNREFUSED'],
  ['nothing comes', () => site(() => () => {}), 'no answer within 2 s'],
  ['it drips', () => site(() => (_, response) => void response.write('{')), 'no answer within 2 s'],
  ['it leads elsewhere', async () => redirecting((await cardSite(() => card)).origin), 'HTTP 302'],
  ['it is no JSON', () => site(() => (_, response) => response.end('<html>')), 'not JSON'],
  ['it is no card', () => cardSite(() => ({ name: 1 })), 'no agent card'],
  ['it is null', () => cardSite(() => null as never), 'no agent card'],
  ['it is far too long', () => cardSite(() => ({ name: 'x'.repeat(2 ** 21) })), 'too long'],
]

test('a page is there where the card is not, and says why', async () => {
  const callerTokens: Record<string, string> = {}
  const callerCards: Record<string, string> = {}
  for (const [index, [, address]] of broken.entries()) {
    callerTokens[`caller-${index}`] = `${planner}-${index}`
    callerCards[`caller-${index}`] = (await address()).origin
  }
  const probe = await startProbe({ agent: asking, callerTokens, operators: { callerCards } })
  const told = await Promise.all(
    broken.map(async ([what], index) => {
      const id = await ask(probe, {}, { token: `${planner}-${index}` })
      const answer = await fetch(`${probe.url}/approve/${id}`, { headers: { Accept: 'text/html' } })
      const text = (await answer.text()).replace(/<[^>]*>/g, '')
      return `${what}: ${/could not be read: (.*?)\./.exec(text)?.[1]}`
    }),
  )
  expect(told).toEqual(broken.map(([what, , problem]) => expect.stringMatching(`${what}: .*${problem}`)))
})

test('nothing is fetched for a caller that no card is set for, or that nobody identified', async () => {
  const { origin, asked } = await cardSite(signedFor)
  const { requester } = await requesterOf(origin, 'nightly')
  expect(requester).toEqual({ identified: true, name: 'planner' })
  const open = await startProbe({ agent: asking, operators: { callerCards: { anyone: origin } } })
  const id = await ask(open)
  const answer = await fetch(`${open.url}/approve/${id}`)
  expect(await answer.json()).toMatchObject({ requester: { identified: false } })
  expect(asked).toEqual([])
})
