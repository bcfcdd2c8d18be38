// gRPC's own form of the protocol's messages: for the binding and for clients, apart from the rest since it costs time to load.
export { fromWire, toWire } from './convert.ts'
export { type GrpcMethod, grpcMethods } from './methods.ts'
export { detailsFromWire, statusKey, statusToWire } from './status.ts'
