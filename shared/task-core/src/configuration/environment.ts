// Reads what the environment says by the schema of its variables: as texts, numbers and booleans, or what they are by default.
import type { Schema, Values } from './part.ts'
import { formOf } from './values.ts'

/**
 * The values of `env` that `properties` name, each of the type that its schema gives; where none is set, the default. A library for
 * JSON Schema would take a fifth of the time of a start.
 * @throws Error that says of each variable at fault what it must be, and shows no value
 */
export function readEnvironment(env: NodeJS.ProcessEnv, properties: Record<string, Schema>): Values {
  const values: Values = {}
  const faults: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const text = env[name]
    const value = text === undefined ? schema.default : readValue(text, schema)
    if (text !== undefined && value === undefined) faults.push(`${name} ${formOf(name) ?? demandOf(schema)}`)
    else if (value !== undefined) values[name] = value
  }
  if (faults.length === 0) return values
  throw new Error(`the environment variable ${faults.join('; the environment variable ')}`)
}

/** Undefined if it is no such value. */
function readValue(text: string, schema: Schema): string | number | boolean | undefined {
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  if (schema.type === 'integer') {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    return Number.isInteger(number) && number >= schema.minimum && number <= schema.maximum
      ? number
      : undefined
  }
  const { enum: known, pattern, minLength = 0 } = schema
  const fits =
    text.length >= minLength &&
    (known === undefined || known.includes(text)) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text))
  return fits ? text : undefined
}

function demandOf(schema: Schema): string {
  if (schema.type === 'boolean') return 'must be true or false'
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`
  return schema.enum ? `must be one of ${schema.enum.join(', ')}` : 'must not be empty'
}
