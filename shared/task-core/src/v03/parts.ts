// Parts: 1.0 has one kind with four contents, 0.3 has text, file and data, in JSON with `kind` and in ProtoJSON without.
import { invalid, type Part } from '../protocol/index.ts'
import { type Fields, isObject, pick, present } from './objects.ts'

/** Marks a data part whose value 0.3 cannot say, since its data is always an object: `{ value }` stands for it. */
const wrapped = 'data_part_compat'

/** A part in the JSON of 0.3. The media type of text and data, and their file name, have no place in it. */
export function jsonPart({ text, raw, url, data, metadata, filename, mediaType }: Part): Fields {
  if (text !== undefined) return present({ kind: 'text', text, metadata })
  if (data === undefined) {
    const file = present({ bytes: raw, uri: url, mimeType: mediaType, name: filename })
    return present({ kind: 'file', file, metadata })
  }
  if (isObject(data)) return present({ kind: 'data', data, metadata })
  return { kind: 'data', data: { value: data }, metadata: { ...metadata, [wrapped]: true } }
}

/** A part in the ProtoJSON of 0.3, which has no place for file names and for metadata either. */
export function protoPart({ text, raw, url, data, mediaType }: Part): Fields {
  if (text !== undefined) return { text }
  if (data === undefined) {
    return { file: present({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType }) }
  }
  return { data: { data: isObject(data) ? data : { value: data } } }
}

/** What a 0.3 client sent in either shape, as a part of 1.0 that is still to be checked. */
export function readPart(given: unknown, path: string): unknown {
  if (!isObject(given)) return given
  const text = pick(given, 'text')
  const file = pick(given, 'file')
  const metadata = pick(given, 'metadata')
  switch (given.kind) {
    case 'text':
      return present({ text, metadata })
    case 'file':
      return present({ ...readFile(file), metadata })
    case 'data':
      return readData(pick(given, 'data'), metadata, path)
    default:
      return present({ text, ...readFile(file), ...readProtoData(pick(given, 'data'), metadata, path) })
  }
}

function readFile(file: unknown): Fields {
  if (!isObject(file)) return {}
  return present({
    raw: pick(file, 'bytes', 'fileWithBytes', 'file_with_bytes'),
    url: pick(file, 'uri', 'fileWithUri', 'file_with_uri'),
    mediaType: pick(file, 'mimeType', 'mime_type'),
    filename: pick(file, 'name'),
  })
}

function readData(data: unknown, metadata: unknown, path: string): Fields {
  if (data === undefined) return present({ metadata })
  if (!isObject(data)) throw invalid(`${path}.data`, 'must be an object')
  if (!isObject(metadata) || metadata[wrapped] !== true || !Object.hasOwn(data, 'value')) {
    return present({ data, metadata })
  }
  const { [wrapped]: _, ...others } = metadata
  return { data: data.value, ...(Object.keys(others).length > 0 && { metadata: others }) }
}

/** DataPart of the proto has the object in a member of its own. */
function readProtoData(data: unknown, metadata: unknown, path: string): Fields {
  const nested = isObject(data) && Object.keys(data).join() === 'data' ? data.data : data
  return readData(nested, metadata, path)
}
