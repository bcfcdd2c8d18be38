// A2A 0.3: what its clients send and get, translated to and from the operations of 1.0.
export { card03, withFieldsOf03, withInterfacesOf03 } from './card.ts'
export { httpJsonError03, jsonRpcError03 } from './errors.ts'
export { isNameOf03, methods03 } from './methods.ts'
export { createJsonOperations, createProtoOperations } from './operations.ts'
export { createPayload03 } from './push-payload.ts'
