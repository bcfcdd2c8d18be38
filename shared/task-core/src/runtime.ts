// Puts an agent together and runs it: store, feed, engine, operations, server.
import { isIPv6, type Server } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Capabilities, describeAgent, describeExtended } from './cards/describe.ts'
import type { Agent } from './define-agent.ts'
import type { Core } from './engine/core.ts'
import { createEngine } from './engine/engine.ts'
import { createWriter } from './engine/writer.ts'
import { createFeed } from './feed/feed.ts'
import type { GrpcServer, GrpcServerOptions } from './grpc/server.ts'
import { createServer } from './http/server.ts'
import { type CallerTokens, createAdmit, createOperations } from './operations/index.ts'
import type { AgentCard } from './protocol/index.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { openStore, type Synchronous } from './store/index.ts'
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
  /** Who may call, each with a token of its own; by default everybody, and nobody is told apart. */
  callerTokens?: CallerTokens | undefined
  settings?: Partial<Settings>
  world?: World
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

/**
 * Opens the agent's store, takes up the tasks that have something to do, and listens.
 * @throws Error when the data is in use or newer, or the port is taken
 */
export async function startAgent(agent: Agent, options: AgentOptions): Promise<RunningAgent> {
  const { log, host = '127.0.0.1', port = 0, world = realWorld } = options
  const settings = { ...defaultSettings, ...options.settings }
  const store = openStore(join(options.dataDir, `${agent.card.name}.db`), world, options.synchronous)
  const feed = createFeed(store)
  const writer = createWriter(store, feed, world, log)
  let url = options.publicUrl?.replace(/\/+$/, '') ?? ''
  const core: Core = {
    agent,
    store,
    feed,
    writer,
    world,
    log,
    settings,
    approveUrl: (taskId) => `${url}/approve/${taskId}`,
  }
  const engine = createEngine(core)
  const declared = { capabilities: options.capabilities, authenticates: options.callerTokens !== undefined }
  const card = describeAgent(agent, declared)
  const extendedCard = describeExtended(agent, card)
  const context = { core, engine, card, extendedCard }
  const operations = createOperations(context)
  const admit = createAdmit(card, options.callerTokens)
  const app = await createServer({ context, operations, admit, log })
  const grpc =
    options.grpcPort === undefined ? undefined : await grpcServer({ operations, admit, settings, log })
  const stop = async () => {
    await Promise.all([app.close(), grpc?.close()])
    engine.close()
    store.close()
  }
  // Both cards have the same list.
  const offer = (protocolBinding: string, url: string) =>
    card.supportedInterfaces.push({ url, protocolBinding, protocolVersion: '1.0' })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= stop()
    return closing
  }
  let grpcPort: number | undefined
  try {
    const listenTextResolver = (address: string) => `${agent.card.name} listens at ${address}`
    await app.listen({ host, port, listenTextResolver })
    url ||= `http://${reachable(host)}:${portOf(app.server.address()) ?? port}`
    offer('JSONRPC', `${url}/a2a`)
    offer('HTTP+JSON', `${url}/a2a`)
    if (grpc) {
      grpcPort = await grpc.listen(host, options.grpcPort!)
      const grpcUrl = options.grpcPublicUrl ?? `${new URL(url).hostname}:${grpcPort}`
      log.info(`${agent.card.name} speaks gRPC at ${grpcUrl}`)
      offer('GRPC', grpcUrl)
    }
  } catch (error) {
    await close()
    throw error
  }
  await engine.open()
  return { card, url, port: portOf(app.server.address()) ?? port, grpcPort, close }
}

const portOf = (address: ReturnType<Server['address']>): number | undefined =>
  typeof address === 'object' ? address?.port : undefined

/** Loaded only where it is used: it takes longer to load than all the rest. */
async function grpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { createGrpcServer } = await import('./grpc/server.ts')
  return createGrpcServer(options)
}

/** A name for this machine that others can use: never a wildcard address. */
const reachable = (host: string): string => {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
