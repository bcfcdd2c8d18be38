// The data model of A2A 1.0 as it stands in JSON (§4.1, §4.2): field and enum names are the specification's.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Struct = { [key: string]: Json }

/** The nine values of §4.1.3; the class of each is in `states.ts`. */
export type TaskState =
  | 'TASK_STATE_UNSPECIFIED'
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED'

export type Role = 'ROLE_UNSPECIFIED' | 'ROLE_USER' | 'ROLE_AGENT'

/** §4.1.6. Exactly one of `text`, `raw` (base64), `url` and `data` is set. */
export interface Part {
  text?: string
  raw?: string
  url?: string
  data?: Json
  metadata?: Struct
  filename?: string
  mediaType?: string
}

/** §4.1.4. A client's message names its task by `taskId`; the server fills in both ids on its own. */
export interface Message {
  messageId: string
  contextId?: string
  taskId?: string
  role: Role
  parts: Part[]
  metadata?: Struct
  extensions?: string[]
  referenceTaskIds?: string[]
}

/** §4.1.2. `timestamp` is ISO 8601 in UTC with milliseconds (§5.6.1). */
export interface TaskStatus {
  state: TaskState
  message?: Message
  timestamp?: string
}

/** §4.1.7. */
export interface Artifact {
  artifactId: string
  name?: string
  description?: string
  parts: Part[]
  metadata?: Struct
  extensions?: string[]
}

/** §4.1.1. */
export interface Task {
  id: string
  contextId: string
  status: TaskStatus
  artifacts?: Artifact[]
  history?: Message[]
  metadata?: Struct
}

/** §4.2.1. */
export interface TaskStatusUpdateEvent {
  taskId: string
  contextId: string
  status: TaskStatus
  metadata?: Struct
}

/** §4.2.2. With `append`, the parts are added to those of the artifact with the same id. */
export interface TaskArtifactUpdateEvent {
  taskId: string
  contextId: string
  artifact: Artifact
  append?: boolean
  lastChunk?: boolean
  metadata?: Struct
}

/** One frame of a stream (§3.2.3): exactly one member is set. */
export interface StreamResponse {
  task?: Task
  message?: Message
  statusUpdate?: TaskStatusUpdateEvent
  artifactUpdate?: TaskArtifactUpdateEvent
}

/** The answer to SendMessage (§3.1.1): a task, or a message and no task. */
export interface SendMessageResponse {
  task?: Task
  message?: Message
}

/** §3.2.2. */
export interface SendMessageConfiguration {
  acceptedOutputModes?: string[]
  taskPushNotificationConfig?: TaskPushNotificationConfig
  historyLength?: number
  returnImmediately?: boolean
}

export interface SendMessageRequest {
  tenant?: string
  message: Message
  configuration?: SendMessageConfiguration
  metadata?: Struct
}

export interface GetTaskRequest {
  tenant?: string
  id: string
  historyLength?: number
}

/** §3.1.4. `statusTimestampAfter` is ISO 8601; a task with exactly that time is listed. */
export interface ListTasksRequest {
  tenant?: string
  contextId?: string
  status?: TaskState
  pageSize?: number
  pageToken?: string
  historyLength?: number
  statusTimestampAfter?: string
  includeArtifacts?: boolean
}

export interface ListTasksResponse {
  tasks: Task[]
  nextPageToken: string
  pageSize: number
  totalSize: number
}

export interface CancelTaskRequest {
  tenant?: string
  id: string
  metadata?: Struct
}

export interface SubscribeToTaskRequest {
  tenant?: string
  id: string
}

/** §4.3.1. */
export interface TaskPushNotificationConfig {
  tenant?: string
  id?: string
  taskId?: string
  url: string
  token?: string
  authentication?: { scheme: string; credentials?: string }
}

/** §3.1.8. */
export interface GetTaskPushNotificationConfigRequest {
  tenant?: string
  taskId: string
  id: string
}

/** §3.1.10. */
export type DeleteTaskPushNotificationConfigRequest = GetTaskPushNotificationConfigRequest

/** §3.1.9. */
export interface ListTaskPushNotificationConfigsRequest {
  tenant?: string
  taskId: string
  pageSize?: number
  pageToken?: string
}

export interface ListTaskPushNotificationConfigsResponse {
  configs: TaskPushNotificationConfig[]
  /** Empty on the last page. */
  nextPageToken: string
}
