// Finds the agent card (§8.2) and chooses the interface to call (§8.3.2).
import type { AgentCard, AgentInterface } from '@a2a-kit/task-core/protocol'
import { CardError, HttpError } from './errors.ts'
import { grpcAddress } from './grpc-address.ts'
import { type HttpRequest, send } from './http.ts'
import { isObject } from './json.ts'
import { bare, httpError, readJson } from './reply.ts'
import { versionHeader } from './transport.ts'

/**
 * Where the card of the agent at `address` is: its base URL, or the card's own, which ends in `.json`.
 * @throws CardError when `address` is no http or https URL
 */
export function cardUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CardError(
      `"${bare(address)}" is no address of an agent; give one such as http://localhost:41243`,
    )
  }
  if (!url.pathname.endsWith('.json')) {
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/.well-known/agent-card.json`
  }
  return url.href
}

type How = Pick<HttpRequest, 'limitMs' | 'signal' | 'dispatcher'>

/**
 * The card at `url`. `limitMs` of `how` bounds how long it may take to begin, and each silence in it.
 * @throws CardError when it is not a card of A2A 1.0; ConnectionError when there is no answer
 */
export async function fetchCard(url: string, how: How): Promise<AgentCard> {
  const headers = { ...versionHeader, Accept: 'application/json' }
  const reply = await send({ method: 'GET', url, headers, ...how })
  try {
    const body = await readJson(reply, how.limitMs)
    if (!reply.ok) throw httpError(reply, 'no card', JSON.stringify(body))
    return checkCard(body, bare(url))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new CardError(`No agent card at ${bare(url)}. ${error.message}`, { cause: error })
  }
}

/** The key set at `url`, as JSON. */
export async function fetchKeys(url: string, how: How): Promise<unknown> {
  const reply = await send({ method: 'GET', url, headers: { Accept: 'application/json' }, ...how })
  const body = await readJson(reply, how.limitMs)
  if (!reply.ok) throw httpError(reply, 'no key set', JSON.stringify(body))
  return body
}

function checkCard(body: unknown, at: string): AgentCard {
  if (!isObject(body)) throw new CardError(`What is at ${at} is no agent card: it is not a JSON object.`)
  const { name, supportedInterfaces, capabilities = {} } = body
  if (supportedInterfaces === undefined && typeof body.url === 'string') {
    throw new CardError(`The card at ${at} is of A2A 0.3; this client speaks 1.0 only.`)
  }
  if (typeof name !== 'string' || !Array.isArray(supportedInterfaces) || !isObject(capabilities)) {
    throw new CardError(`What is at ${at} is no agent card: it needs a name and supportedInterfaces.`)
  }
  const { extensions = [] } = capabilities
  if (!Array.isArray(extensions) || !extensions.every(isObject)) {
    throw new CardError(`What is at ${at} is no agent card: its extensions are no list of objects.`)
  }
  return {
    ...body,
    capabilities,
    supportedInterfaces: supportedInterfaces.filter(isObject),
  } as unknown as AgentCard
}

const isWhole = ({ url, protocolBinding, protocolVersion }: AgentInterface): boolean =>
  [url, protocolBinding, protocolVersion].every((field) => typeof field === 'string')

const isCallable = ({ url, protocolBinding, protocolVersion }: AgentInterface): boolean =>
  /^1\.0(\.\d+)?$/.test(protocolVersion) &&
  (protocolBinding === 'GRPC'
    ? grpcAddress(url) !== undefined
    : URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))

/**
 * The first interface, in the card's order, with one of `bindings` and version 1.0 (patch digits do not count, §3.6).
 * @throws CardError that says what the card offers
 */
export function chooseInterface(card: AgentCard, bindings: readonly string[]): AgentInterface {
  const offered = card.supportedInterfaces.filter(isWhole)
  const chosen = offered.find((one) => bindings.includes(one.protocolBinding) && isCallable(one))
  if (chosen) return chosen
  const list = offered.map(
    ({ protocolBinding, protocolVersion, url }) => `${protocolBinding} ${protocolVersion} at ${bare(url)}`,
  )
  throw new CardError(
    `${card.name} offers ${list.join(', ') || 'no interface'}; this client speaks ${bindings.join(' and ')} of A2A 1.0, over http and https.`,
  )
}
