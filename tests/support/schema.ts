// Holds answers against the schemas that the agent's OpenAPI document gives: no field that is not known, no null, right types.
import type { JsonSchema } from '@a2a-kit/task-core/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Document {
  components: { schemas: Record<string, JsonSchema> }
}

/** Says what is wrong with `value` as the document's schema `name`: an empty list if nothing is. */
export type Faults = (name: string, value: unknown) => string[]

/** The document of the agent at `url`, as a judge of answers. */
export async function judge(url: string): Promise<Faults> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
    name,
    // What the agent answers has no field beyond those; what it takes may.
    { ...schema, additionalProperties: false },
  ])
  ajv.addSchema({ $id: 'kit', components: { schemas: Object.fromEntries(schemas) } })
  return (name, value) => {
    const check = ajv.getSchema(`kit#/components/schemas/${name}`)
    if (!check) return [`there is no schema ${name}`]
    check(value)
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}
