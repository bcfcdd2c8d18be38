// The client's gRPC transport against an agent in a test's hands.
import { statusToWire } from '@a2a-kit/task-core/grpc-schema'
import type { Limits } from '../transport.ts'
import { grpcTransport } from '../transports/grpc.ts'
import { fakeGrpcAgent, type GrpcExchange } from './fake-grpc-agent.ts'

export const noLimits: Limits = { replyMs: 0, blockingMs: 0, idleMs: 0 }

/** The bytes of a status with these details. */
export const detailed = (details: object[]) => statusToWire(5, 'x', details)

/** An agent that answers by `answer`, and a transport to it. */
export async function speaking(answer: (exchange: GrpcExchange) => unknown, limits: Partial<Limits> = {}) {
  const agent = await fakeGrpcAgent(answer)
  return { ...agent, transport: grpcTransport(agent.target, { ...noLimits, ...limits }) }
}

/** The error of a call that is answered by `answer`. */
export async function errorOf(answer: (exchange: GrpcExchange) => unknown, limits?: Partial<Limits>) {
  const { transport } = await speaking(answer, limits)
  return transport.call('GetTask', { id: 'T' }, {}).then(
    () => undefined,
    (error: Error) => error,
  )
}
