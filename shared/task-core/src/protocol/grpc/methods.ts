// The operations as gRPC has them: path, and the types of request and reply (§10.3).
import type { DescMessage } from '@bufbuild/protobuf'
import { registry } from './descriptors.ts'

export interface GrpcMethod {
  /** Such as `/lf.a2a.v1.A2AService/GetTask`. */
  path: string
  request: DescMessage
  reply: DescMessage
  /** True if the reply is a stream. */
  streams: boolean
}

const service = registry.getService('lf.a2a.v1.A2AService')!

/** By the operations' names. */
export const grpcMethods: ReadonlyMap<string, GrpcMethod> = new Map(
  service.methods.map(({ name, input, output, methodKind }) => [
    name,
    {
      path: `/${service.typeName}/${name}`,
      request: input,
      reply: output,
      streams: methodKind === 'server_streaming',
    },
  ]),
)
