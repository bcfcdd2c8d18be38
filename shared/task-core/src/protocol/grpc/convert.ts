// Converts messages between ProtoJSON, which all else here speaks, and the bytes that gRPC sends.
import { type DescMessage, fromBinary, fromJson, type JsonValue, toBinary, toJson } from '@bufbuild/protobuf'
import { registry } from './descriptors.ts'

/** A level of JSON takes up to three messages, and JSON may be 100 levels deep. */
const options = { registry, recursionLimit: 400 }

/**
 * The message as ProtoJSON. `optional` fields keep their presence; what equals its default is absent otherwise.
 * @throws Error for bytes that are no such message, and for what JSON cannot say, such as NaN in a Struct
 */
export const fromWire = (type: DescMessage, bytes: Uint8Array): JsonValue =>
  toJson(type, fromBinary(type, bytes, options), options)

/**
 * The bytes of a message. Unknown fields and names of enums are left out, unless it is `strict`.
 * @throws Error for what is no such message
 */
export function toWire(type: DescMessage, json: JsonValue, { strict = false } = {}): Buffer {
  const bytes = toBinary(type, fromJson(type, json, { ...options, ignoreUnknownFields: !strict }))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
