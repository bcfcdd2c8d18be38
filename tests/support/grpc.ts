// Talks to an agent over gRPC with the bare library, and shows answers in the shape that the other bindings' have.

import { detailsFromWire, fromWire, grpcMethods, statusKey, toWire } from '@a2a-kit/task-core/grpc-schema'
import { errorTable } from '@a2a-kit/task-core/protocol'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { onTestFinished } from 'vitest'
import type { Answer, Binding } from './probe.ts'
import type { Frame } from './sse.ts'

const same = (bytes: Buffer) => bytes

/** What is left out on the wire is this. */
const defaults: Record<string, object> = {
  ListTasks: { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 },
}

/** A client of the agent at `target`, closed when the test is over; with a connection of its own. */
export function grpcClient(target: string, options: object = {}): Client {
  const client = new Client(target, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': -1,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

export const metadataOf = (headers: Record<string, string> = {}): Metadata => {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries({ 'A2A-Version': '1.0', ...headers })) metadata.add(name, value)
  return metadata
}

export interface RawReply {
  error: ServiceError | undefined
  reply: Buffer | undefined
  /** What came before the answer. */
  metadata: Metadata
}

/** Sends bytes and metadata as they are. */
export function rawCall(
  client: Client,
  operation: string,
  bytes: Buffer,
  { metadata = metadataOf(), deadline }: { metadata?: Metadata; deadline?: number } = {},
): Promise<RawReply> {
  const { path } = grpcMethods.get(operation)!
  const options = deadline === undefined ? {} : { deadline }
  return new Promise((resolve) => {
    let first = new Metadata()
    const call = client.makeUnaryRequest(path, same, same, bytes, metadata, options, (error, reply) =>
      resolve({ error: error ?? undefined, reply, metadata: first }),
    )
    call.on('metadata', (came: Metadata) => {
      first = came
    })
  })
}

/** @throws Error for what a message of gRPC cannot say */
export const requestBytes = (operation: string, params: object): Buffer =>
  toWire(grpcMethods.get(operation)!.request, JSON.parse(JSON.stringify(params)), { strict: true })

/** Can `binding` say this? JSON can have wrong types, unknown names and half characters, and a message of gRPC cannot. */
export function isSayable(binding: Binding, operation: string, params: object): boolean {
  if (binding !== 'GRPC') return true
  if (/\\ud[89a-f]/.test(JSON.stringify(params))) return false
  try {
    requestBytes(operation, params)
    return true
  } catch {
    return false
  }
}

/** The message as ProtoJSON; its times, which leave out what is zero, in the form that the agent gives them in JSON. */
export const readReply = (operation: string, bytes: Buffer): object =>
  JSON.parse(JSON.stringify(fromWire(grpcMethods.get(operation)!.reply, bytes)), (name, value) =>
    name === 'timestamp' ? new Date(value).toISOString() : value,
  )

/** The details of an error, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const detailsOf = ({ metadata }: ServiceError): any[] =>
  metadata.get(statusKey).flatMap((value) => detailsFromWire(value as Buffer))

/** The answer of a call that failed: the code is JSON-RPC's for its reason, the status gRPC's. */
export function failed(error: ServiceError): Answer {
  const [info, bad] = detailsOf(error)
  const row = Object.values(errorTable).find(({ reason }) => reason === info?.reason)
  return {
    error: {
      code: row?.code ?? 0,
      reason: info?.reason,
      message: error.details,
      fields: (bad?.fieldViolations ?? []).map(({ field }: { field: string }) => field),
    },
    status: error.code,
    contentType: 'application/grpc',
  }
}

export async function grpcCall(
  target: string,
  operation: string,
  params: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  const client = new Client(target, credentials.createInsecure(), {})
  try {
    const options = { metadata: metadataOf(headers) }
    const { error, reply } = await rawCall(client, operation, requestBytes(operation, params), options)
    if (error) return failed(error)
    return {
      result: { ...defaults[operation], ...readReply(operation, reply!) },
      status: 0,
      contentType: 'application/grpc',
    }
  } finally {
    client.close()
  }
}

export async function grpcStream(
  target: string,
  operation: string,
  params: object,
  headers?: Record<string, string>,
): Promise<{ frames: AsyncGenerator<Frame>; close(): void }> {
  const { path } = grpcMethods.get(operation)!
  const client = new Client(target, credentials.createInsecure(), {})
  const bytes = requestBytes(operation, params)
  const call = client.makeServerStreamRequest(path, same, same, bytes, metadataOf(headers))
  let failure: ServiceError | undefined
  call.on('error', (error: ServiceError) => {
    failure = error
  })
  call.once('status', () => client.close())
  const first = await new Promise<Metadata>((resolve, reject) => {
    call.once('metadata', resolve)
    call.once('status', () =>
      reject(
        Object.assign(new Error(`not a stream: ${failure?.message}`), {
          answer: failure && failed(failure),
        }),
      ),
    )
  })
  async function* frames(): AsyncGenerator<Frame> {
    const from = first.get('last-event-id')[0]
    let id = from === undefined ? undefined : Number(from)
    for await (const message of call) {
      yield { id: id === undefined ? undefined : String(id++), ...readReply(operation, message) }
    }
    if (failure) throw failure
  }
  return { frames: frames(), close: () => call.cancel() }
}
