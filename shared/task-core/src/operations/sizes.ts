// How large what a client sends may be, where the schema sets no bound: it is refused before anything is stored.
import { A2AError, type FieldViolation, type SendMessageRequest, type Struct } from '../protocol/index.ts'
import type { Settings } from '../settings.ts'

type Limits = Pick<Settings, 'maxParts' | 'maxMetadata'>

/** @throws A2AError InvalidParamsError that names every field that is too large */
export function checkSize(
  { message, metadata }: SendMessageRequest,
  { maxParts, maxMetadata }: Limits,
): void {
  const { parts } = message
  const tooMany: FieldViolation[] =
    parts.length > maxParts
      ? [{ field: 'message.parts', description: `has ${parts.length} parts, and may have ${maxParts}` }]
      : []
  const all: [string, Struct | undefined][] = [
    ['metadata', metadata],
    ['message.metadata', message.metadata],
    ...parts
      .slice(0, maxParts)
      .map((part, index): [string, Struct | undefined] => [
        `message.parts[${index}].metadata`,
        part.metadata,
      ]),
  ]
  refuse([...tooMany, ...all.flatMap(([field, one]) => metadataFaults(field, one, maxMetadata))])
}

/** The same for the metadata of any other request. @throws A2AError InvalidParamsError */
export const checkMetadata = (metadata: Struct | undefined, { maxMetadata }: Limits): void =>
  refuse(metadataFaults('metadata', metadata, maxMetadata))

function metadataFaults(field: string, metadata: Struct | undefined, most: number): FieldViolation[] {
  const size = metadata ? Buffer.byteLength(JSON.stringify(metadata)) : 0
  return size > most ? [{ field, description: `has ${size} bytes as JSON, and may have ${most}` }] : []
}

function refuse(violations: FieldViolation[]): void {
  const [first] = violations
  if (!first) return
  const more = violations.length > 1 ? ' (and more)' : ''
  throw new A2AError('InvalidParamsError', `Invalid parameters: ${first.field} ${first.description}${more}`, {
    violations: violations.slice(0, 20),
  })
}
