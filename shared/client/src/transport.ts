// The seam between the client and a binding: what a transport can be asked (§5.3), and the limits and headers they share.
import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-kit/task-core/protocol'
import { activeTraceparent } from '@a2a-kit/task-core/telemetry'

/** The operations that answer once. */
export interface Calls {
  SendMessage: { request: SendMessageRequest; response: SendMessageResponse }
  GetTask: { request: GetTaskRequest; response: Task }
  ListTasks: { request: ListTasksRequest; response: ListTasksResponse }
  CancelTask: { request: CancelTaskRequest; response: Task }
  CreateTaskPushNotificationConfig: {
    request: TaskPushNotificationConfig & { taskId: string }
    response: TaskPushNotificationConfig
  }
  GetTaskPushNotificationConfig: {
    request: GetTaskPushNotificationConfigRequest
    response: TaskPushNotificationConfig
  }
  ListTaskPushNotificationConfigs: {
    request: ListTaskPushNotificationConfigsRequest
    response: ListTaskPushNotificationConfigsResponse
  }
  DeleteTaskPushNotificationConfig: {
    request: DeleteTaskPushNotificationConfigRequest
    response: Record<string, never>
  }
  GetExtendedAgentCard: { request: { tenant?: string }; response: AgentCard }
}

/** The operations that answer with a stream. */
export interface Streams {
  SendStreamingMessage: SendMessageRequest
  SubscribeToTask: SubscribeToTaskRequest
}

export type Method = keyof Calls | keyof Streams

/** One event of a stream, and its id where the agent gives ids. */
export interface StreamEvent {
  event: StreamResponse
  eventId?: string
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** The extensions to activate, by URI (§3.2.6). */
  extensions?: readonly string[]
  /** With the replay extension: the last event that was seen. */
  lastEventId?: string | undefined
  /** A bearer token that says who calls (§7.3). */
  token?: string | undefined
}

/** One try of one operation, without retries. Rejects with A2AError for what the agent answered as an error. */
export interface Transport {
  call<M extends keyof Calls>(
    method: M,
    request: Calls[M]['request'],
    options: CallOptions,
  ): Promise<Calls[M]['response']>
  /**
   * Resolves once the agent has begun the stream. The stream ends only where its task, question or message does.
   * Iterating throws StreamCutError when it breaks off before; leaving the iteration closes the connection.
   */
  open<M extends keyof Streams>(
    method: M,
    request: Streams[M],
    options: CallOptions,
  ): Promise<AsyncIterable<StreamEvent>>
}

/** In ms; 0, or more than 24 days, for no limit. */
export interface Limits {
  /** For an answer to begin, and for each silence in it. */
  replyMs: number
  /** The same for a blocking SendMessage, which answers when the task stops or waits. */
  blockingMs: number
  /** For silence on a stream; heartbeats count as life. */
  idleMs: number
}

/** How long the answer to this request may take, in ms. */
export const replyLimit = (method: Method, request: object, { replyMs, blockingMs }: Limits): number =>
  method === 'SendMessage' && !(request as SendMessageRequest).configuration?.returnImmediately
    ? blockingMs
    : replyMs

/** The version that every request names (§3.6.1). */
export const versionHeader = { 'A2A-Version': '1.0' }

/** The service parameters of a request, as HTTP headers (§9.2, §11.2); and from within an agent, the trace of its work. */
export function headersOf({ extensions = [], lastEventId, token }: CallOptions): Record<string, string> {
  const traceparent = activeTraceparent()
  return {
    ...versionHeader,
    ...(traceparent !== undefined && { traceparent }),
    ...(extensions.length > 0 && { 'A2A-Extensions': extensions.join(',') }),
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
}
