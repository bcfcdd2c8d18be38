// One part of the configuration: the variables of one concern, as a schema, and what they are read to.

/** What the environment says, of the types that the schema gives. */
// biome-ignore lint/suspicious/noExplicitAny: the schema is what knows the types.
export type Values = Record<string, any>

/** What a variable must be, in the words of JSON Schema. */
export type Schema =
  | { type: 'boolean'; default: boolean }
  | { type: 'integer'; minimum: number; maximum: number; default?: number }
  | { type: 'string'; minLength?: number; pattern?: string; enum?: readonly string[]; default?: string }

export interface Part<T> {
  properties: Record<string, Schema>
  /** @throws Error that names the variable at fault, and shows no secret */
  read(values: Values): T
}

/** The longest that a timer can wait, in ms; no setting needs more. */
const longestTimer = 2 ** 31 - 1

/** The schema of a whole number from `minimum` on. */
export const whole = (minimum: number, standard: number) => ({
  type: 'integer' as const,
  minimum,
  maximum: longestTimer,
  default: standard,
})
