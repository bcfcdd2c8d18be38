// Small helpers for JSON objects of a shape that is not known yet.

export type Fields = Record<string, unknown>

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object without its members that are undefined. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The value of the first of `names` that the object has; `null` counts as absent, as in ProtoJSON. */
export const pick = (fields: Fields, ...names: string[]): unknown => {
  const name = names.find((one) => Object.hasOwn(fields, one) && fields[one] !== null)
  return name === undefined ? undefined : fields[name]
}
