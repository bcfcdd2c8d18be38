// What each operation takes (§3.1, §4.1): the schemas that every binding validates with.
import { A2AError, type FieldViolation } from './errors.ts'
import {
  anyValue,
  bool,
  bytes,
  count,
  described,
  enumeration,
  fault,
  idFromClient,
  int32,
  type Read,
  string,
  struct,
  timestamp,
} from './json.ts'
import { list, message } from './json-composites.ts'
import { pushConfig } from './push-config.ts'
import { taskStates } from './states.ts'
import type {
  CancelTaskRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  Message,
  Part,
  SendMessageConfiguration,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from './types.ts'

export const part = message<Part>(
  {
    text: string,
    raw: bytes,
    url: string,
    data: anyValue,
    metadata: struct,
    filename: string,
    mediaType: string,
  },
  { name: 'Part', oneof: ['text', 'raw', 'url', 'data'] },
)

export const anyRole = enumeration(['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'])

/** §4.1.4, as a client sends it: it speaks as ROLE_USER. */
const clientRole: Read<string> = described({ type: 'string', enum: ['ROLE_USER'] }, (value, path, faults) => {
  const role = anyRole(value, path, faults)
  return role === 'ROLE_AGENT' ? fault(faults, path, 'must be ROLE_USER in what a client sends') : role
})

const clientMessage = message<Message>(
  {
    messageId: idFromClient,
    contextId: idFromClient,
    taskId: string,
    role: clientRole,
    parts: list(part),
    metadata: struct,
    extensions: list(string),
    referenceTaskIds: list(string),
  },
  { name: 'ClientMessage', required: ['messageId', 'role', 'parts'] },
)

/** The most push configs on a page, and the most tasks on a page of ListTasks (§3.1.4). */
const pageSize: Read<number> = described(
  { type: 'integer', minimum: 1, maximum: 100 },
  (value, path, faults) => {
    const size = int32(value, path, faults)
    return size !== undefined && (size < 1 || size > 100)
      ? fault(faults, path, 'must be from 1 to 100')
      : size
  },
)

const ofTask = { tenant: string, taskId: string }
const ofConfig = message<GetTaskPushNotificationConfigRequest>(
  { ...ofTask, id: string },
  { required: ['taskId', 'id'] },
)

const configuration = message<SendMessageConfiguration>(
  {
    acceptedOutputModes: list(string),
    taskPushNotificationConfig: pushConfig([]),
    historyLength: count,
    returnImmediately: bool,
  },
  { name: 'SendMessageConfiguration', optional: ['historyLength'] },
)

export const requestSchemas = {
  SendMessage: message<SendMessageRequest>(
    { tenant: string, message: clientMessage, configuration, metadata: struct },
    { name: 'SendMessageRequest', required: ['message'] },
  ),
  GetTask: message<GetTaskRequest>(
    { tenant: string, id: string, historyLength: count },
    { required: ['id'], optional: ['historyLength'] },
  ),
  ListTasks: message<ListTasksRequest>(
    {
      tenant: string,
      contextId: string,
      status: enumeration(taskStates),
      pageSize,
      pageToken: string,
      historyLength: count,
      statusTimestampAfter: timestamp,
      includeArtifacts: bool,
    },
    { optional: ['historyLength'] },
  ),
  CancelTask: message<CancelTaskRequest>(
    { tenant: string, id: string, metadata: struct },
    { required: ['id'] },
  ),
  SubscribeToTask: message<SubscribeToTaskRequest>({ tenant: string, id: string }, { required: ['id'] }),
  CreateTaskPushNotificationConfig: pushConfig(['taskId']),
  GetTaskPushNotificationConfig: ofConfig,
  DeleteTaskPushNotificationConfig: ofConfig,
  ListTaskPushNotificationConfigs: message<ListTaskPushNotificationConfigsRequest>(
    { ...ofTask, pageSize, pageToken: string },
    { required: ['taskId'] },
  ),
  GetExtendedAgentCard: message<{ tenant?: string }>({ tenant: string }),
} as const

/**
 * The request in its normal form.
 * @throws A2AError InvalidParamsError that names every field at fault.
 */
export function parseRequest<T>(schema: Read<T>, value: unknown): T {
  const faults: FieldViolation[] = []
  const request = schema(value ?? {}, '', faults)
  if (faults.length > 0 || request === undefined) {
    const first = faults[0] ?? { field: 'params', description: 'must be an object' }
    const more = faults.length > 1 ? ' (and more)' : ''
    throw new A2AError(
      'InvalidParamsError',
      `Invalid parameters: ${first.field} ${first.description}${more}`,
      { violations: faults },
    )
  }
  return request
}
