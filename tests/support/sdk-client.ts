// Drives an agent with the official SDK's client: each binding by its transport, requests and answers as the protocol's JSON.
import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  AgentCard as SdkCard,
  Task as SdkTask,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
} from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  type RequestOptions,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client'
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc'
import type * as protocol from '@a2a-kit/task-core/protocol'

export type SdkBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC'
type Event = protocol.StreamResponse

/** The bindings that the tables of the SDK's tests go through. */
export const sdkBindings: SdkBinding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC']

const transports: Record<SdkBinding, () => TransportFactory> = {
  JSONRPC: () => new JsonRpcTransportFactory(),
  'HTTP+JSON': () => new RestTransportFactory(),
  GRPC: () => new GrpcTransportFactory(),
}

/** The SDK's client for the agent at `url`, over `binding` alone. */
export async function sdkClient(url: string, binding: SdkBinding) {
  const client = await new ClientFactory({ transports: [transports[binding]()] }).createFromUrl(url)
  return speakJson(client)
}

export type SdkClient = Awaited<ReturnType<typeof sdkClient>>

const task = (answer: SdkTask) => SdkTask.toJSON(answer) as protocol.Task
async function* events(stream: AsyncIterable<StreamResponse>): AsyncGenerator<Event> {
  for await (const event of stream) yield StreamResponse.toJSON(event) as Event
}

const speakJson = (client: Client) => ({
  /** The SDK's own, for what has no JSON here. */
  client,
  /** §3.1.1, for agents that answer with a task. */
  async send(request: protocol.SendMessageRequest): Promise<protocol.Task> {
    const answer = await client.sendMessage(SendMessageRequest.fromJSON(request))
    if (!('status' in answer)) throw new Error('answered with a message')
    return task(answer)
  },
  stream: (request: protocol.SendMessageRequest): AsyncGenerator<Event> =>
    events(client.sendMessageStream(SendMessageRequest.fromJSON(request))),
  subscribe: (id: string): AsyncGenerator<Event> =>
    events(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }))),
  get: async (request: protocol.GetTaskRequest) =>
    task(await client.getTask(GetTaskRequest.fromJSON(request))),
  cancel: async (id: string) => task(await client.cancelTask(CancelTaskRequest.fromJSON({ id }))),
  list: async (request: protocol.ListTasksRequest) =>
    ListTasksResponse.toJSON(
      await client.listTasks(ListTasksRequest.fromJSON(request)),
    ) as protocol.ListTasksResponse,
  /** The extended card, where the agent declares one. */
  card: async (options: RequestOptions) =>
    SdkCard.toJSON(await client.getAgentCard(options)) as protocol.AgentCard,
})
