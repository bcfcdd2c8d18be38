// One agent, called through one transport: the operations with their retries.
import { randomUUID } from 'node:crypto'
import {
  A2AError,
  type AgentCard,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  replayExtension,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type SendMessageResponse,
  type Struct,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a-kit/task-core/protocol'
import { type Patience, retrying } from './backoff.ts'
import type { WatchedEvent } from './sightings.ts'
import type { SignedBy } from './signature.ts'
import type { CallOptions, StreamEvent, Streams, Transport } from './transport.ts'
import { type WatchOptions, watch } from './watch.ts'

/** The configuration of §3.2.2, and metadata of the request. */
export interface SendOptions extends SendMessageConfiguration {
  metadata?: Struct
  signal?: AbortSignal
}

/**
 * An agent, by its card. Every call rejects with A2AError for an error that the agent answered (its `cause` has the HTTP
 * status), with HttpError for a reply that is not the protocol's, and with GaveUpError when connection errors, 429 or 503
 * did not pass in time.
 */
export interface AgentClient {
  readonly card: AgentCard
  /** The signature of the card that was verified; undefined where `trust` was not asked for. */
  readonly signedBy: SignedBy | undefined
  /** As the card gives it. */
  readonly name: string
  /** The address that was given to `connect`. */
  readonly url: string
  /** §3.1.1. Blocking unless `returnImmediately`; a retry sends the same messageId. */
  sendMessage(message: Message, options?: SendOptions): Promise<SendMessageResponse>
  /** §3.1.2. Retried until the stream has begun; throws StreamCutError when it then breaks off: go on with `watch`. */
  sendStreamingMessage(message: Message, options?: SendOptions): AsyncIterable<StreamEvent>
  /** §3.1.3. */
  getTask(id: string, options?: { historyLength?: number; signal?: AbortSignal }): Promise<Task>
  /** §3.1.4. */
  listTasks(
    request?: Omit<ListTasksRequest, 'tenant'>,
    options?: { signal?: AbortSignal },
  ): Promise<ListTasksResponse>
  /** §3.1.5. A task that an earlier try of this call has canceled is not an error. */
  cancelTask(id: string, options?: { metadata?: Struct; signal?: AbortSignal }): Promise<Task>
  /** §3.1.6, one stream as it comes; `watch` follows the task to its end. */
  subscribeToTask(id: string, options?: WatchOptions): AsyncIterable<StreamEvent>
  /** §3.1.7. Has the task's later events sent to `config.url`. Without an id it gets one here, so that a retry makes no second config. */
  createTaskPushNotificationConfig(
    taskId: string,
    config: Omit<TaskPushNotificationConfig, 'taskId' | 'tenant'>,
    options?: { signal?: AbortSignal },
  ): Promise<TaskPushNotificationConfig>
  /** §3.1.8. */
  getTaskPushNotificationConfig(
    taskId: string,
    id: string,
    options?: { signal?: AbortSignal },
  ): Promise<TaskPushNotificationConfig>
  /** §3.1.9. */
  listTaskPushNotificationConfigs(
    taskId: string,
    options?: { pageSize?: number; pageToken?: string; signal?: AbortSignal },
  ): Promise<ListTaskPushNotificationConfigsResponse>
  /** §3.1.10. A config that is not there is no error. */
  deleteTaskPushNotificationConfig(
    taskId: string,
    id: string,
    options?: { signal?: AbortSignal },
  ): Promise<void>
  /** §3.1.11. The card for those who say who they are: `connect` with a `token`. */
  getExtendedAgentCard(options?: { signal?: AbortSignal }): Promise<AgentCard>
  /**
   * Follows the task through drops until it is terminal: each value is an event, its id, and the task after it. The first
   * is a `task` event; where the agent declares the replay extension, no event is missed or comes twice. Where it does not,
   * a stream may lose or repeat some while it begins: the task at the end is then the one that GetTask gives.
   * @throws GaveUpError with how often and how long it tried
   */
  watch(taskId: string, options?: WatchOptions): AsyncIterable<WatchedEvent>
}

/** `transport` is told tenant and extensions already; `url` is for those who read. */
export function createClient(
  {
    card,
    signedBy,
    url,
    transport,
  }: { card: AgentCard; signedBy: SignedBy | undefined; url: string; transport: Transport },
  patience: Patience,
): AgentClient {
  const what = `${card.name} at ${new URL(url).host}`
  const replays = card.capabilities.extensions?.some(({ uri }) => uri === replayExtension) ?? false
  const extensions = replays ? [replayExtension] : []

  const again = <T>(signal: AbortSignal | undefined, work: (attempt: number) => Promise<T>) =>
    retrying(what, patience, signal, work)
  const open = <M extends keyof Streams>(method: M, request: Streams[M], options: CallOptions) =>
    again(options.signal, () => transport.open(method, request, options))
  const subscribe = (id: string, { lastEventId, signal }: CallOptions) =>
    transport.open('SubscribeToTask', { id }, { extensions, signal, ...(replays && { lastEventId }) })

  const client: AgentClient = {
    card,
    signedBy,
    name: card.name,
    url,
    sendMessage: (message, { signal, ...options } = {}) =>
      again(signal, () => transport.call('SendMessage', sendRequest(message, options), { signal })),
    async *sendStreamingMessage(message, { signal, ...options } = {}) {
      yield* await open('SendStreamingMessage', sendRequest(message, options), { signal })
    },
    getTask: (id, { signal, ...options } = {}) =>
      again(signal, () => transport.call('GetTask', { id, ...options }, { signal })),
    listTasks: (request = {}, { signal } = {}) =>
      again(signal, () => transport.call('ListTasks', request, { signal })),
    cancelTask: (id, { signal, ...options } = {}) =>
      again(signal, async (attempt) => {
        try {
          return await transport.call('CancelTask', { id, ...options }, { signal })
        } catch (error) {
          const isLate = error instanceof A2AError && error.name === 'TaskNotCancelableError'
          if (attempt === 1 || !isLate) throw error
          // The try before may have canceled it, and only its answer was lost.
          const task = await transport.call('GetTask', { id }, { signal })
          if (task.status.state === 'TASK_STATE_CANCELED') return task
          throw error
        }
      }),
    async *subscribeToTask(id, options = {}) {
      yield* await again(options.signal, () => subscribe(id, options))
    },
    createTaskPushNotificationConfig(taskId, config, { signal } = {}) {
      const request = { id: randomUUID(), ...config, taskId }
      return again(signal, () => transport.call('CreateTaskPushNotificationConfig', request, { signal }))
    },
    getTaskPushNotificationConfig: (taskId, id, { signal } = {}) =>
      again(signal, () => transport.call('GetTaskPushNotificationConfig', { taskId, id }, { signal })),
    listTaskPushNotificationConfigs: (taskId, { signal, ...page } = {}) =>
      again(signal, () => transport.call('ListTaskPushNotificationConfigs', { taskId, ...page }, { signal })),
    getExtendedAgentCard: ({ signal } = {}) =>
      again(signal, () => transport.call('GetExtendedAgentCard', {}, { signal })),
    async deleteTaskPushNotificationConfig(taskId, id, { signal } = {}) {
      await again(signal, () =>
        transport.call('DeleteTaskPushNotificationConfig', { taskId, id }, { signal }),
      )
    },
    watch: (taskId, options = {}) =>
      watch(
        {
          what,
          streams: card.capabilities.streaming === true,
          replays,
          subscribe,
          getTask: (id, { signal }) => client.getTask(id, signal && { signal }),
        },
        taskId,
        options,
        patience,
      ),
  }
  return client
}

function sendRequest(
  message: Message,
  { metadata, ...configuration }: Omit<SendOptions, 'signal'>,
): SendMessageRequest {
  return {
    message,
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(metadata && { metadata }),
  }
}
