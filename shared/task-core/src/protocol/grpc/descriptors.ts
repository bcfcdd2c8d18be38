// Reads the .proto files beside this one, once, into descriptors that can convert messages.
import { fileURLToPath } from 'node:url'
import { create, createFileRegistry, type FileRegistry, fromBinary } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'

const wellKnown = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
]

/** Every message, enum and service of the files, and the well-known types that they use. */
export const registry: FileRegistry = load('a2a.proto', 'rpc.proto')

function load(...files: string[]): FileRegistry {
  const loaded = loadSync(files, { includeDirs: [fileURLToPath(new URL('.', import.meta.url))] })
  // Each type that was loaded brings all the files.
  const { fileDescriptorProtos } = loaded['google.rpc.Status'] as MessageTypeDefinition<object, object>
  const ours = fileDescriptorProtos
    .map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
    .filter((file) => file.package !== 'google.protobuf')
  for (const file of ours) mend(file)
  return createFileRegistry(
    create(FileDescriptorSetSchema, { file: [...wellKnown.map((one) => one.proto), ...ours] }),
  )
}

/** The loader gives short names of types, where a descriptor has full ones, and no JSON names, and loses which field is `optional`. */
function mend(file: FileDescriptorProto): void {
  for (const message of file.messageType) mendMessage(message, `.${file.package}.${message.name}`)

  function mendMessage({ field, nestedType, oneofDecl }: DescriptorProto, path: string): void {
    for (const one of field) {
      if (one.typeName !== '' && !one.typeName.startsWith('.')) one.typeName = fullName(one.typeName)
      one.jsonName = one.name
      one.proto3Optional = oneofDecl.some(({ name }) => name === `_${one.name}`)
    }
    for (const inner of nestedType) mendMessage(inner, `${path}.${inner.name}`)

    function fullName(name: string): string {
      if (nestedType.some((inner) => inner.name === name)) return `${path}.${name}`
      // What is in another package is a well-known type.
      return name.includes('.') ? `.google.protobuf.${name.split('.').at(-1)}` : `.${file.package}.${name}`
    }
  }
}
