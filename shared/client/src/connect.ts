// From an address to a client: card, choice of interface, transport.
import type { AgentCard, AgentInterface } from '@a2a-kit/task-core/protocol'
import { spanned } from '@a2a-kit/task-core/telemetry'
import type { Dispatcher } from 'undici'
import { defaultRetry, type RetryPolicy, realWorld, retrying, type World } from './backoff.ts'
import { cardUrl, chooseInterface, fetchCard, fetchKeys } from './card.ts'
import { type AgentClient, createClient } from './client.ts'
import { CardError, isUnauthenticated, type ReplyFacts } from './errors.ts'
import { bare } from './reply.ts'
import { type Trust, verifyCard } from './signature.ts'
import type { CallOptions, Limits, Transport } from './transport.ts'
import { httpJsonTransport } from './transports/http-json.ts'
import { jsonRpcTransport } from './transports/jsonrpc.ts'

/** Called with `send` before each try of an operation and with `reply` after its answer, or once its stream has begun. */
export type Observe = (moment: 'send' | 'reply', method: string) => void

export interface ConnectOptions {
  /** The bindings to choose from, by their names on the card: JSONRPC, HTTP+JSON, GRPC; by default all. */
  bindings?: readonly string[]
  /** The extensions to activate on every request, by URI; the replay extension is activated where it is of use. */
  extensions?: readonly string[]
  observe?: Observe
  /**
   * A bearer token that says who calls, or what gives it: that is asked before each try, and where its token is refused, for instance since it
   * has expired, again at the next. Sent with every operation, to the host of `address` alone, whatever the card says; the card itself is public
   * and is fetched without it.
   */
  token?: string | (() => string | Promise<string>)
  /** Whose signatures on the card count; with `{}` those with keys from the card's own origin. By default none is needed. */
  trust?: Trust
  retry?: Partial<RetryPolicy>
  limits?: Partial<Limits>
  world?: World
  /** How the connections over HTTP are made, for a proxy for example; by default directly. */
  dispatcher?: Dispatcher
  /** Ends the attempt to connect; calls have signals of their own. */
  signal?: AbortSignal
}

const defaultLimits: Limits = { replyMs: 30_000, blockingMs: 0, idleMs: 15_000 }

/** A timer that is told to take longer, such as Infinity, is over at once. */
const longestTimer = 2 ** 31 - 1
const limit = (ms: number): number => (ms > longestTimer ? 0 : ms)

// One more binding is one more line here, and its transport.
const transports: {
  [binding: string]: (url: string, limits: Limits, dispatcher?: Dispatcher) => Transport | Promise<Transport>
} = {
  JSONRPC: jsonRpcTransport,
  'HTTP+JSON': httpJsonTransport,
  // Loaded only where it is used, since that takes a while.
  GRPC: async (url, limits) => (await import('./transports/grpc.ts')).grpcTransport(url, limits),
}

/**
 * Fetches the card of the agent at `address` (its base URL or its card's URL), and gives a client for the first
 * interface of the card that it speaks. Tries again as every call does.
 * @throws CardError when there is no card that it can use, or with `trust` none that is signed; GaveUpError when nothing answers
 */
export async function connect(address: string, options: ConnectOptions = {}): Promise<AgentClient> {
  const { signal, observe = () => {}, world = realWorld, trust, dispatcher } = options
  const known = Object.keys(transports)
  const bindings = options.bindings?.filter((one) => known.includes(one)) ?? known
  const url = cardUrl(address)
  const { replyMs, blockingMs, idleMs } = { ...defaultLimits, ...options.limits }
  const limits = { replyMs: limit(replyMs), blockingMs: limit(blockingMs), idleMs: limit(idleMs) }
  const patience = { world, retry: { ...defaultRetry, ...options.retry } }
  const how = { limitMs: limits.replyMs, signal, dispatcher }
  const card = await retrying(new URL(url).host, patience, signal, () => fetchCard(url, how))
  const fetchJson = (at: string) => fetchKeys(at, how)
  const signedBy = trust && (await verifyCard(card, { trust, cardUrl: url, fetchJson }))
  const chosen = chooseInterface(card, bindings)
  if (options.token !== undefined) checkHost(chosen, url)
  const plain = await transports[chosen.protocolBinding]!(chosen.url, limits, dispatcher)
  const transport = dressed(plain, chosen, {
    extensions: options.extensions ?? [],
    token: options.token,
    observe,
  })
  return createClient({ card, signedBy, url: bare(address), transport }, patience)
}

/** gRPC names a host and a port alone. */
const hostOf = (url: string): string => new URL(/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`).hostname

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A card must not lead a token to somebody else. */
function checkHost({ url }: AgentInterface, at: string): void {
  const hostname = hostOf(url)
  const own = new URL(at).hostname
  if (hostname === own || (thisMachine.test(hostname) && thisMachine.test(own))) return
  throw new CardError(
    `The card at ${bare(at)} leads to ${hostname}, another host: the token is not sent there. Connect to that host's own card.`,
  )
}

/** `transport` with what goes into every request, and its observer. */
function dressed(
  transport: Transport,
  { tenant, url }: AgentInterface,
  {
    extensions,
    token,
    observe,
  }: { extensions: readonly string[]; token: ConnectOptions['token']; observe: Observe },
): Transport {
  const withTenant = <T extends object>(request: T): T => (tenant ? { ...request, tenant } : request)
  const withAll = async (options: CallOptions): Promise<CallOptions> => ({
    ...options,
    token: typeof token === 'function' ? await token() : token,
    extensions: [...new Set([...extensions, ...(options.extensions ?? [])])],
  })
  const refused = (error: unknown): never => {
    const renews = typeof token === 'function' && isUnauthenticated(error)
    if (renews) error.cause = { ...(error.cause as ReplyFacts), renews }
    throw error
  }
  // In a span of its own where its agent records traces; that of a stream ends where the stream begins.
  const sent = <T>(name: string, send: () => Promise<T>) =>
    spanned({ name, kind: 'client', attributes: { 'server.address': hostOf(url) } }, send)
  return {
    async call(method, request, options) {
      observe('send', method)
      const all = await withAll(options)
      const answer = await sent(method, () => transport.call(method, withTenant(request), all)).catch(refused)
      observe('reply', method)
      return answer
    },
    async open(method, request, options) {
      observe('send', method)
      const all = await withAll(options)
      const events = await sent(method, () => transport.open(method, withTenant(request), all)).catch(refused)
      observe('reply', method)
      return events
    },
  }
}

/** An agent that can be called before its card is known. */
export type LazyAgent = Pick<
  AgentClient,
  'name' | 'url' | 'sendMessage' | 'getTask' | 'cancelTask' | 'watch'
> & {
  card(call?: { signal?: AbortSignal }): Promise<AgentCard>
}

/**
 * An agent that is connected to on its first call, and again if that failed: for peers that start later. Until then its
 * name is `name`, or the host of its address.
 * @throws CardError when `address` is no http or https URL
 */
export function lazyAgent(
  address: string,
  { name, ...options }: ConnectOptions & { name?: string } = {},
): LazyAgent {
  let known: AgentClient | undefined
  const agent = async (call: { signal?: AbortSignal } | undefined) => {
    known ??= await connect(address, call?.signal ? { ...options, signal: call.signal } : options)
    return known
  }
  const fallback = name ?? new URL(cardUrl(address)).host
  return {
    get name() {
      return known?.name ?? fallback
    },
    url: bare(address),
    card: async (call) => (await agent(call)).card,
    sendMessage: async (message, call) => (await agent(call)).sendMessage(message, call),
    getTask: async (id, call) => (await agent(call)).getTask(id, call),
    cancelTask: async (id, call) => (await agent(call)).cancelTask(id, call),
    async *watch(taskId, call) {
      yield* (await agent(call)).watch(taskId, call)
    },
  }
}
