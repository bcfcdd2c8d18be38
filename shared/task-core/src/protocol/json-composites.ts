// Reads what is made of other values: lists, maps, and the messages of the proto with their rules of presence (§5.7).
import type { FieldViolation } from './errors.ts'
import { anyValue, described, fault, type JsonSchema, type Read } from './json.ts'

export const list = <T>(item: Read<T>): Read<T[]> =>
  described(
    { type: 'array', items: item.schema ?? {} },
    (value, path, faults) => {
      if (!Array.isArray(value)) return fault(faults, path, 'must be an array')
      return value.flatMap((inner, index) => {
        const at = `${path}[${index}]`
        if (inner === null) return fault(faults, at, 'must not be null') ?? []
        return item(inner, at, faults) ?? []
      })
    },
    item,
  )

/** A map of the proto with texts as keys. */
export const map = <T>(item: Read<T>): Read<{ [key: string]: T }> =>
  described(
    { type: 'object', additionalProperties: item.schema ?? {} },
    (value, path, faults) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fault(faults, path, 'must be an object')
      }
      const read = (key: string, inner: unknown): [string, T][] => {
        const normal =
          inner === null ? fault(faults, path, 'must not hold null') : item(inner, `${path}.${key}`, faults)
        return normal === undefined ? [] : [[key, normal]]
      }
      return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => read(key, inner)))
    },
    item,
  )

interface Rules {
  /** Its name in documents; without one it is described where it stands. */
  name?: string
  /** Fields that must be there and not empty (§5.7). */
  required?: readonly string[]
  /** Fields of which exactly one must be there; an empty one counts as there. */
  oneof?: readonly string[]
  /** Fields with `optional` in the proto: their zero value says something. */
  optional?: readonly string[]
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const isDefault = (value: unknown) =>
  value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)
const pathTo = (name: string, path: string) => (path ? `${path}.${name}` : name)

/** Whether one of the faults after the first `before` lies in `field`. */
const isFaulty = (field: string, faults: FieldViolation[], before: number) =>
  faults.slice(before).some((one) => one.field.startsWith(field))

/** The schema of a field that must say something. */
const filled = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.type === 'string' && !schema.enum && { minLength: 1 }),
  ...(schema.type === 'array' && { minItems: 1 }),
})

/** A message of the proto: `fields` by JSON name. Values equal to the proto's default count as absent. */
export function message<T>(
  fields: { [name: string]: Read<unknown> },
  { name: messageName, required = [], oneof = [], optional = [] }: Rules = {},
): Read<T> {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, { schema = {} }]) => [
      name,
      required.includes(name) && !optional.includes(name) ? filled(schema) : schema,
    ]),
  )
  const definition: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    ...(oneof.length > 0 && { oneOf: oneof.map((name) => ({ required: [name] })) }),
  }
  const schema = messageName === undefined ? definition : { $ref: `#/components/schemas/${messageName}` }
  const plan = Object.entries(fields).map(([name, read]) => ({
    name,
    protoName: snake(name),
    read,
    takesNull: read === anyValue,
    keepsDefault: oneof.includes(name) || optional.includes(name),
  }))
  const read: Read<T> = (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return fault(faults, path || 'params', 'must be an object')
    }
    const given = value as Record<string, unknown>
    const result: Record<string, unknown> = {}
    const before = faults.length
    for (const { name, protoName, read, takesNull, keepsDefault } of plan) {
      const key = Object.hasOwn(given, name) ? name : protoName
      const field = Object.hasOwn(given, key) ? given[key] : undefined
      if (field === undefined || (field === null && !takesNull)) continue
      const normal = read(field, pathTo(name, path), faults)
      if (normal !== undefined && (keepsDefault || !isDefault(normal))) result[name] = normal
    }
    for (const name of required) {
      const field = pathTo(name, path)
      if (!(name in result) && !isFaulty(field, faults, before)) fault(faults, field, 'is required')
    }
    if (oneof.length > 0) {
      const set = oneof.filter((name) => name in result)
      if (set.length > 1) fault(faults, path, `must have only one of ${set.join(', ')}`)
      if (set.length === 0 && !oneof.some((name) => isFaulty(pathTo(name, path), faults, before))) {
        fault(faults, path, `must have one of ${oneof.join(', ')}`)
      }
    }
    return result as T
  }
  described(schema, read, ...Object.values(fields))
  if (messageName !== undefined) read.definitions![messageName] = definition
  return read
}
