// A request over gRPC that is too large: the library refuses it in words of its own, and it is answered as over HTTP.
import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { A2AError } from '../protocol/index.ts'
import { statusOf } from './errors.ts'

const tooLarge = () =>
  statusOf(new A2AError('PayloadTooLargeError', 'The request body is too large.'), '1.0.1')

/** The refusal comes from below all interceptors, at the call itself, so it is the call's own function that is changed. */
export const answerTooLarge: ServerInterceptor = (_method, call) => {
  const send = call.sendStatus.bind(call)
  call.sendStatus = (given) => {
    const refused = given.code === status.RESOURCE_EXHAUSTED && isBare(given.metadata)
    send(refused ? tooLarge() : given)
  }
  return new ServerInterceptingCall(call)
}

const isBare = (metadata: Metadata | null | undefined): boolean =>
  Object.keys((metadata ?? new Metadata()).getMap()).length === 0
