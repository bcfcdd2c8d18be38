// What an answer must look like, so that nothing of a stranger's shape gets further (§4.1, §4.2, §5.5).
import {
  A2AError,
  type AgentCard,
  type Artifact,
  type Message,
  type Part,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  type TaskState,
  type TaskStatus,
  taskStates,
} from '@a2a-kit/task-core/protocol'
import { isObject } from './json.ts'
import type { Calls } from './transport.ts'

const invalidAnswer = (expected: string, value: unknown): A2AError =>
  new A2AError(
    'InvalidAgentResponseError',
    `The agent answered something else than ${expected}: ${(JSON.stringify(value) ?? '').slice(0, 120)}`,
  )

const isState = (value: unknown): value is TaskState =>
  value !== 'TASK_STATE_UNSPECIFIED' && taskStates.includes(value as TaskState)

const areParts = (value: unknown): value is Part[] =>
  Array.isArray(value) &&
  value.every((part) => isObject(part) && (part.text === undefined || typeof part.text === 'string'))

const isMessage = (value: unknown): value is Message =>
  isObject(value) && typeof value.messageId === 'string' && areParts(value.parts)

const isStatus = (value: unknown): value is TaskStatus =>
  isObject(value) && isState(value.state) && (value.message === undefined || isMessage(value.message))

const isArtifact = (value: unknown): value is Artifact =>
  isObject(value) && typeof value.artifactId === 'string' && areParts(value.parts)

const isTask = (value: unknown): value is Task =>
  isObject(value) &&
  typeof value.id === 'string' &&
  isStatus(value.status) &&
  (value.artifacts === undefined || (Array.isArray(value.artifacts) && value.artifacts.every(isArtifact)))

const isUpdate = (value: unknown) => isObject(value) && typeof value.taskId === 'string'

const frames: { [member: string]: (value: unknown) => boolean } = {
  task: isTask,
  message: isMessage,
  statusUpdate: (value) => isUpdate(value) && isStatus((value as { status?: unknown }).status),
  artifactUpdate: (value) => isUpdate(value) && isArtifact((value as { artifact?: unknown }).artifact),
}

/** True if `value` has exactly one of `members`, in its right shape. Fields that are not known are ignored (§5.7). */
function hasOneOf(value: unknown, members: string[]): boolean {
  const set = isObject(value) ? members.filter((member) => value[member] != null) : []
  return set.length === 1 && frames[set[0]!]!((value as Record<string, unknown>)[set[0]!])
}

/** @throws A2AError InvalidAgentResponseError */
export function readFrame(value: unknown): StreamResponse {
  if (!hasOneOf(value, Object.keys(frames))) throw invalidAnswer('a StreamResponse of A2A 1.0', value)
  return value as StreamResponse
}

function readTask(value: unknown): Task {
  if (!isTask(value)) throw invalidAnswer('a Task of A2A 1.0', value)
  return value
}

const isCard = (value: unknown): value is AgentCard =>
  isObject(value) && typeof value.name === 'string' && Array.isArray(value.supportedInterfaces)

const isConfig = (value: unknown): value is TaskPushNotificationConfig =>
  isObject(value) && typeof value.url === 'string'

function readConfig(value: unknown): TaskPushNotificationConfig {
  if (!isConfig(value)) throw invalidAnswer('a TaskPushNotificationConfig of A2A 1.0', value)
  return value
}

/** How to read the answer of each operation. Each throws A2AError InvalidAgentResponseError. */
export const readers: { [M in keyof Calls]: (value: unknown) => Calls[M]['response'] } = {
  SendMessage(value) {
    if (!hasOneOf(value, ['task', 'message'])) throw invalidAnswer('a task or a message of A2A 1.0', value)
    return value as SendMessageResponse
  },
  GetTask: readTask,
  CancelTask: readTask,
  CreateTaskPushNotificationConfig: readConfig,
  GetTaskPushNotificationConfig: readConfig,
  ListTaskPushNotificationConfigs(value) {
    const { configs = [], ...rest } = isObject(value) ? value : { configs: value }
    if (!Array.isArray(configs) || !configs.every(isConfig))
      throw invalidAnswer('a list of push notification configs of A2A 1.0', value)
    return { nextPageToken: '', ...rest, configs }
  },
  GetExtendedAgentCard(value) {
    if (!isCard(value)) throw invalidAnswer('an AgentCard of A2A 1.0', value)
    return value
  },
  DeleteTaskPushNotificationConfig: () => ({}), // some say nothing, some say null
  ListTasks(value) {
    const { tasks = [] } = isObject(value) ? value : { tasks: value }
    if (!Array.isArray(tasks) || !tasks.every(isTask))
      throw invalidAnswer('a list of tasks of A2A 1.0', value)
    // Some leave out what is empty.
    return { nextPageToken: '', pageSize: 0, totalSize: 0, ...(value as object), tasks }
  },
}
