import { join } from 'node:path'
import type { Logger } from 'pino'
import { interfacesAt, portOf, reachable } from './addresses.ts'
import { type Capabilities, describeAgent, describeExtended } from './cards/describe.ts'
import { type PublishedCards, publishCards } from './cards/publish.ts'
import { readSigningKey } from './cards/sign.ts'
import type { Agent } from './define-agent.ts'
import type { Core } from './engine/core.ts'
import { createEngine } from './engine/engine.ts'
import { createWriter } from './engine/writer.ts'
import { createFeed } from './feed/feed.ts'
import type { GrpcServer, GrpcServerOptions } from './grpc/server.ts'
import { createReadiness } from './http/health.ts'
import { createPermitsHost } from './http/hosts.ts'
import type { OperatorOptions } from './http/operators/options.ts'
import { checkReach, isLoopback, isOverheard } from './http/operators/reach.ts'
import { createServer } from './http/server.ts'
import {
  type CallerTokens,
  createAdmit,
  createOperations,
  type JwtTrust,
  observed,
} from './operations/index.ts'
import type { AgentCard } from './protocol/index.ts'
import type { Resolve } from './push/connect.ts'
import { createHosts } from './push/hosts.ts'
import { payloads } from './push/payloads.ts'
import { createPushes } from './push/pushes.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { aboutFile, isSqliteError, openStore, type Store, type Synchronous } from './store/index.ts'
import type { Telemetry } from './telemetry/index.ts'
import { startTelemetry } from './telemetry/start.ts'
import type { Tls } from './tls.ts'
import { createPayload03 } from './v03/index.ts'
import { realWorld, type World } from './world.ts'

export interface AgentOptions {
  /** The folder of the agent's database, made if it is missing. */
  dataDir: string
  log: Logger
  host?: string
  /** 0 takes a free one. */
  port?: number
  /** The address that others use, without a slash at its end; by default localhost with the port. */
  publicUrl?: string | undefined
  /** The port for gRPC; 0 takes a free one, undefined is no gRPC. */
  grpcPort?: number | undefined
  /** `host:port` that others use for gRPC; by default the host of `publicUrl` with `grpcPort`. */
  grpcPublicUrl?: string | undefined
  synchronous?: Synchronous
  /** What the card declares and the operations serve; by default all but what the agent lacks. */
  capabilities?: Partial<Capabilities>
  /** Whether a client that names no version finds what 0.3 needs in the card too; by default it does. */
  legacyCard?: boolean
  /** Who may call, each with a token of its own; by default everybody, and nobody is told apart. */
  callerTokens?: CallerTokens | undefined
  /** Whose JWTs say who may call, beside or instead of `callerTokens`; by default nobody's. */
  callerJwts?: JwtTrust | undefined
  /** Who may decide what waits for an operator, and how they reach it. */
  operators?: OperatorOptions
  /** For HTTP and gRPC; by default neither is encrypted. */
  tls?: Tls | undefined
  /** The private key that signs the cards, as PEM (PKCS #8) or JWK, P-256 or Ed25519; by default they are not signed. */
  signingKey?: string | undefined
  /** What who reads `/metrics` has to send, as a bearer token; by default there are none to read. */
  metricsToken?: string | undefined
  /** The collector of OpenTelemetry that traces are sent to, such as `http://localhost:4318`; by default none are recorded. */
  tracesEndpoint?: string | undefined
  settings?: Partial<Settings>
  world?: World
  /** How the names of push notification receivers become addresses; by default as the system does it. */
  resolve?: Resolve
}

export interface RunningAgent {
  card: AgentCard
  /** The address that others use. */
  url: string
  port: number
  /** Undefined without gRPC. */
  grpcPort: number | undefined
  /** Ends streams at a frame boundary, stops the runs without a word to their tasks, and closes the store. */
  close(): Promise<void>
}

/** Where an agent listens that is not told where. */
const localhost = '127.0.0.1'

/**
 * Opens the agent's store, takes up the tasks that have something to do, and listens.
 * @throws Error when the data is in use or newer, or the port is taken
 */
export async function startAgent(agent: Agent, options: AgentOptions): Promise<RunningAgent> {
  const { log, world = realWorld, metricsToken, tracesEndpoint } = options
  checkReach(options.host ?? localhost, options.operators ?? {})
  const { name, version } = agent.card
  const metrics = metricsToken !== undefined
  const telemetry = await startTelemetry({ name, version, world, log, metrics, tracesEndpoint })
  const file = join(options.dataDir, `${name}.db`)
  const store = openStore(file, world, {
    synchronous: options.synchronous,
    onCommit: telemetry.metrics?.commit,
    onSyncFailure: (err) =>
      log.error({ err }, 'The disk does not take what was stored: a power cut would lose it. Trying again.'),
  })
  try {
    return await startOn(store, telemetry, agent, options)
  } catch (error) {
    store.close()
    throw isSqliteError(error) ? aboutFile(error, file) : error
  }
}

async function startOn(
  store: Store,
  telemetry: Telemetry,
  agent: Agent,
  options: AgentOptions,
): Promise<RunningAgent> {
  const { log, host = localhost, port = 0, world = realWorld, operators = {}, tls, metricsToken } = options
  const signingKey = options.signingKey === undefined ? undefined : await readSigningKey(options.signingKey)
  let url = options.publicUrl?.replace(/\/+$/, '') ?? ''
  const publicUrl = () => url
  const core = createCore(store, telemetry, agent, options, publicUrl)
  const { settings, pushes } = core
  const engine = createEngine(core)
  const { capabilities, callerTokens, callerJwts } = options
  const card = describeAgent(agent, { capabilities, tokens: callerTokens !== undefined, jwts: callerJwts })
  const extendedCard = describeExtended(agent, card)
  const context = { core, engine, card, extendedCard }
  const operations = observed(createOperations(context), telemetry)
  telemetry.metrics?.read({ ...store.counts, turns: engine.turns, now: world.now })
  const readiness = createReadiness({
    write: store.checkWritable,
    failed: (err) => log.error({ err }, 'The store cannot write.'),
  })
  const admit = createAdmit(card, { ...settings, callerTokens, callerJwts, now: world.now })
  const cards = Promise.withResolvers<PublishedCards>()
  const app = await createServer({
    context,
    operations,
    admit,
    cards: cards.promise,
    log,
    readiness,
    metricsToken,
    operators,
    publicUrl,
    permitsHost: createPermitsHost(operators.allowedHosts ?? [], publicUrl),
    isLocal: isLoopback(host),
    tls,
  })
  const grpc =
    options.grpcPort === undefined
      ? undefined
      : await grpcServer({ operations, admit, settings, log, telemetry, tls })
  let closing: Promise<void> | undefined
  const stop = async () => {
    readiness.closing()
    await Promise.all([app.close(), grpc?.close()])
    engine.close()
    await pushes.close()
    store.close()
    await telemetry.tracer.close()
  }
  const close = () => {
    closing ??= stop()
    return closing
  }
  try {
    const listenTextResolver = (address: string) => `${agent.card.name} listens at ${address}`
    await app.listen({ host, port, listenTextResolver })
    const listening = portOf(app.server.address()) ?? port
    const grpcPort = await grpc?.listen(host, options.grpcPort!)
    if (isOverheard({ host, publicUrl: url, encrypted: tls !== undefined, operators })) {
      log.warn(
        'The tokens of operators come here without TLS: set TLS_CERT_FILE, or PUBLIC_URL to a proxy that has it.',
      )
    }
    url ||= `${tls ? 'https' : 'http'}://${reachable(host)}:${listening}`
    const grpcUrl = grpcPort === undefined ? undefined : grpcUrlOf(url, grpcPort, options)
    if (grpcUrl) log.info(`${agent.card.name} speaks gRPC at ${grpcUrl}`)
    const supportedInterfaces = interfacesAt(`${url}/a2a`, grpcUrl)
    for (const one of [card, extendedCard]) {
      if (one)
        Object.assign(one, { supportedInterfaces, documentationUrl: one.documentationUrl ?? `${url}/policy` })
    }
    const { legacyCard = true } = options
    cards.resolve(await publishCards({ card, extendedCard, url, signingKey, legacyCard, now: world.now() }))
    await engine.open()
    pushes.open()
    readiness.opened()
    return { card, url, port: listening, grpcPort, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the engine works with. `publicUrl` is asked for where a task gives it, which is after the agent listens. */
function createCore(
  store: Store,
  telemetry: Telemetry,
  agent: Agent,
  { log, world = realWorld, settings: set, resolve }: AgentOptions,
  publicUrl: () => string,
) {
  const settings = { ...defaultSettings, ...set }
  const feed = createFeed(store)
  const pushes = createPushes({
    store,
    world,
    log,
    settings,
    telemetry,
    hosts: createHosts(settings.pushAllowedHosts),
    payloads: { ...payloads, '0.3': createPayload03() },
    resolve,
  })
  return {
    agent,
    store,
    feed,
    pushes,
    writer: createWriter({ store, feed, pushes, world, log }),
    world,
    log,
    telemetry,
    settings,
    approveUrl: (taskId) => `${publicUrl()}/approve/${taskId}`,
    denyUrl: (taskId) => `${publicUrl()}/deny/${taskId}`,
  } satisfies Core
}

const grpcUrlOf = (url: string, port: number, { grpcPublicUrl, tls }: AgentOptions): string =>
  grpcPublicUrl ?? `${tls ? 'https://' : ''}${new URL(url).hostname}:${port}`

/** Loaded only where it is used: it takes longer to load than all the rest. */
async function grpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { createGrpcServer } = await import('./grpc/server.ts')
  return createGrpcServer(options)
}
