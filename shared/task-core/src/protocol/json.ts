// Reads ProtoJSON: camelCase and proto names, enum names and numbers, both base64 alphabets; unknown fields are ignored.
import type { FieldViolation } from './errors.ts'
import type { Json, Struct } from './types.ts'

/** JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = Struct

/** Turns a JSON value into its normal form, or adds to `faults` and returns undefined. `null` never gets here. */
export interface Read<T> {
  (value: unknown, path: string, faults: FieldViolation[]): T | undefined
  /** What it takes, for documents; its normal form is what is answered. */
  schema?: JsonSchema
  /** The named messages that the schema refers to. */
  definitions?: { [name: string]: JsonSchema }
}

/** `read` with what documents say of it. */
export const described = <T>(schema: JsonSchema, read: Read<T>, ...inner: Read<unknown>[]): Read<T> =>
  Object.assign(read, {
    schema,
    definitions: Object.assign({}, ...inner.map((one) => one.definitions ?? {})),
  })

/** Enough for a reader: an answer that named every fault of a large request would be larger than the request. */
const mostFaults = 20

/** Notes that `field` is at fault. */
export const fault = (faults: FieldViolation[], field: string, description: string): undefined => {
  if (faults.length < mostFaults) faults.push({ field, description })
  return undefined
}

/** A string that can be written as UTF-8. */
export const string: Read<string> = described({ type: 'string' }, (value, path, faults) => {
  if (typeof value !== 'string') return fault(faults, path, 'must be a string')
  return value.isWellFormed() ? value : fault(faults, path, 'must not contain a lone surrogate')
})

export const bool: Read<boolean> = described({ type: 'boolean' }, (value, path, faults) =>
  typeof value === 'boolean' ? value : fault(faults, path, 'must be true or false'),
)

const longestId = 256

/** An id that the client may have made up (§3.4.1, §4.3.1): of a length that can be stored and shown, on one line. */
export const idFromClient: Read<string> = described(
  { type: 'string', maxLength: longestId },
  (value, path, faults) => {
    const id = string(value, path, faults)
    if (id === undefined || (id.length <= longestId && !/\p{Cc}/u.test(id))) return id
    return fault(faults, path, `must have at most ${longestId} characters and no control characters`)
  },
)

const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** An int32, given as a number or as one in a string (ProtoJSON takes both). */
export const int32: Read<number> = described({ type: 'integer', format: 'int32' }, (value, path, faults) => {
  const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    return fault(faults, path, 'must be a whole number')
  }
  return Math.abs(number) <= 0x7fffffff ? number : fault(faults, path, 'must fit in 32 bits')
})

/** An int32 that is not negative, such as a history length. */
export const count: Read<number> = described(
  { type: 'integer', format: 'int32', minimum: 0 },
  (value, path, faults) => {
    const number = int32(value, path, faults)
    return number !== undefined && number < 0 ? fault(faults, path, 'must be 0 or more') : number
  },
)

/** Base64 or base64url, with or without padding; the normal form is padded base64. */
export const bytes: Read<string> = described(
  { type: 'string', contentEncoding: 'base64' },
  (value, path, faults) => {
    if (typeof value !== 'string') return fault(faults, path, 'must be a base64 string')
    const [, plain] = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(value) ?? []
    if (plain === undefined || plain.length % 4 === 1) return fault(faults, path, 'must be base64')
    return plain.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (plain.length % 4)) % 4)
  },
)

const time = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,3}(\d*))?(Z|[+-]\d\d:\d\d)$/i

/** ISO 8601 with a time zone; the normal form is UTC, up to the next whole millisecond, so that "at or after" stays true. */
export const timestamp: Read<string> = described(
  { type: 'string', format: 'date-time' },
  (value, path, faults) => {
    const [, day, beyond] = (typeof value === 'string' && time.exec(value)) || []
    const ms = isDay(day) ? Date.parse(value as string) : Number.NaN
    if (Number.isNaN(ms)) return fault(faults, path, 'must be a time such as 2026-10-06T09:00:00.000Z')
    return new Date(ms + (/[1-9]/.test(beyond ?? '') ? 1 : 0)).toISOString()
  },
)

/** False for the 30th of February, which `Date.parse` takes for the 2nd of March. */
function isDay(day: string | undefined): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === day
}

/** An enum by name or number; 0, the unspecified value, counts as absent, as it does in the proto. */
export const enumeration = <T extends string>(names: readonly T[]): Read<T> =>
  described({ type: 'string', enum: names.slice(1) }, (value, path, faults) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    const index = typeof number === 'number' ? number : names.indexOf(number as T)
    if (index === 0) return undefined
    return names[index] ?? fault(faults, path, `must be one of ${names.slice(1).join(', ')}`)
  })

const deepest = 100 // as protobuf's own parsers have it

/** Any JSON value, `null` too, nested at most 100 deep. */
export const anyValue: Read<Json> = described({}, (value, path, faults) => {
  const problem = problemOf(value, 0)
  return problem ? fault(faults, path, problem) : (value as Json)
})

/** Why `value`, which stands `depth` deep, cannot be kept. */
function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'must not contain a lone surrogate'
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'must not contain a number that no double can hold'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepest) return `must not be nested more than ${deepest} deep`
  if (Array.isArray(value)) return firstProblem(value, depth)
  return firstProblem(Object.keys(value), depth) ?? firstProblem(Object.values(value), depth)
}

function firstProblem(all: unknown[], depth: number): string | undefined {
  for (const inner of all) {
    const problem = problemOf(inner, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** A JSON object, kept as it is. */
export const struct: Read<Struct> = described(
  { type: 'object', additionalProperties: true },
  (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fault(faults, path, 'must be an object')
    }
    return anyValue(value, path, faults) as Struct | undefined
  },
)
