// google.rpc.Status, which carries the details of an error beside gRPC's own status (§10.6).

import { create, fromBinary, type JsonValue, toJson } from '@bufbuild/protobuf'
import { type Any, AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt'
import { toWire } from './convert.ts'
import { registry } from './descriptors.ts'

/** The metadata in which it is sent. */
export const statusKey = 'grpc-status-details-bin'

const statusType = registry.getMessage('google.rpc.Status')!

/** `details` have an `@type`, as A2AError gives them. */
export const statusToWire = (code: number, message: string, details: object[]): Buffer =>
  toWire(statusType, { code, message, details: details as JsonValue[] })

/** The details of `bytes` that are known here, as JSON with an `@type`. Never throws: a stranger wrote them. */
export function detailsFromWire(bytes: Uint8Array): JsonValue[] {
  try {
    const { details } = fromBinary(statusType, bytes) as unknown as { details: Any[] }
    return details.flatMap((detail) => known(detail) ?? [])
  } catch {
    return []
  }
}

function known({ typeUrl, value }: Any): JsonValue | undefined {
  try {
    const detail = create(AnySchema, { typeUrl, value })
    return anyUnpack(detail, registry) && toJson(AnySchema, detail, { registry })
  } catch {
    return undefined
  }
}
