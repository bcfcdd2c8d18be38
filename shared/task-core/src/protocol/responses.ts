// What each operation answers (§3.1, §4): the schemas that documents and tests hold the answers against.
import type { AgentCard } from './card-types.ts'
import { anyValue, bool, enumeration, int32, type Read, string, struct, timestamp } from './json.ts'
import { list, map, message } from './json-composites.ts'
import { pushConfig } from './push-config.ts'
import { anyRole, part } from './requests.ts'
import { taskStates } from './states.ts'
import type {
  Artifact,
  ListTasksResponse,
  Message,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatus,
  TaskStatusUpdateEvent,
} from './types.ts'

/** A message of an answer: a REQUIRED field is there even if it is empty. */
const answered = <T>(
  name: string,
  fields: { [name: string]: Read<unknown> },
  required: readonly string[] = [],
  optional: readonly string[] = [],
): Read<T> => message<T>(fields, { name, required, optional: [...required, ...optional] })

const oneOf = <T>(name: string, fields: { [name: string]: Read<unknown> }): Read<T> =>
  message<T>(fields, { name, oneof: Object.keys(fields) })

const anyMessage = answered<Message>(
  'Message',
  {
    messageId: string,
    contextId: string,
    taskId: string,
    role: anyRole,
    parts: list(part),
    metadata: struct,
    extensions: list(string),
    referenceTaskIds: list(string),
  },
  ['messageId', 'role', 'parts'],
)

const status = answered<TaskStatus>(
  'TaskStatus',
  { state: enumeration(taskStates), message: anyMessage, timestamp },
  ['state'],
)

const artifact = answered<Artifact>(
  'Artifact',
  {
    artifactId: string,
    name: string,
    description: string,
    parts: list(part),
    metadata: struct,
    extensions: list(string),
  },
  ['artifactId', 'parts'],
)

const task = answered<Task>(
  'Task',
  {
    id: string,
    contextId: string,
    status,
    artifacts: list(artifact),
    history: list(anyMessage),
    metadata: struct,
  },
  ['id', 'status'],
)

const statusUpdate = answered<TaskStatusUpdateEvent>(
  'TaskStatusUpdateEvent',
  { taskId: string, contextId: string, status, metadata: struct },
  ['taskId', 'contextId', 'status'],
)

const artifactUpdate = answered<TaskArtifactUpdateEvent>(
  'TaskArtifactUpdateEvent',
  { taskId: string, contextId: string, artifact, append: bool, lastChunk: bool, metadata: struct },
  ['taskId', 'contextId', 'artifact'],
)

const requirement = answered('SecurityRequirement', {
  schemes: map(answered('StringList', { list: list(string) })),
})

const scheme = oneOf('SecurityScheme', {
  apiKeySecurityScheme: struct,
  httpAuthSecurityScheme: answered(
    'HTTPAuthSecurityScheme',
    { description: string, scheme: string, bearerFormat: string },
    ['scheme'],
  ),
  oauth2SecurityScheme: struct,
  openIdConnectSecurityScheme: struct,
  mtlsSecurityScheme: struct,
})

const skill = answered(
  'AgentSkill',
  {
    id: string,
    name: string,
    description: string,
    tags: list(string),
    examples: list(string),
    inputModes: list(string),
    outputModes: list(string),
    securityRequirements: list(requirement),
  },
  ['id', 'name', 'description', 'tags'],
)

const agentInterface = answered(
  'AgentInterface',
  { url: string, protocolBinding: string, tenant: string, protocolVersion: string },
  ['url', 'protocolBinding', 'protocolVersion'],
)

const extension = answered('AgentExtension', {
  uri: string,
  description: string,
  required: bool,
  params: struct,
})

const capabilities = answered(
  'AgentCapabilities',
  { streaming: bool, pushNotifications: bool, extensions: list(extension), extendedAgentCard: bool },
  [],
  ['streaming', 'pushNotifications', 'extendedAgentCard'],
)

const card = answered<AgentCard>(
  'AgentCard',
  {
    name: string,
    description: string,
    supportedInterfaces: list(agentInterface),
    provider: answered('AgentProvider', { url: string, organization: string }, ['url', 'organization']),
    version: string,
    documentationUrl: string,
    capabilities,
    securitySchemes: map(scheme),
    securityRequirements: list(requirement),
    defaultInputModes: list(string),
    defaultOutputModes: list(string),
    skills: list(skill),
    signatures: list(
      answered('AgentCardSignature', { protected: string, signature: string, header: struct }, [
        'protected',
        'signature',
      ]),
    ),
    iconUrl: string,
  },
  [
    'name',
    'description',
    'supportedInterfaces',
    'version',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ],
  ['documentationUrl', 'iconUrl'],
)

const streamResponse = oneOf<StreamResponse>('StreamResponse', {
  task,
  message: anyMessage,
  statusUpdate,
  artifactUpdate,
})

const storedConfig = pushConfig([])

/** By operation; a streaming one answers with one of these in each frame. */
export const responseSchemas = {
  SendMessage: oneOf<SendMessageResponse>('SendMessageResponse', { task, message: anyMessage }),
  SendStreamingMessage: streamResponse,
  GetTask: task,
  ListTasks: answered<ListTasksResponse>(
    'ListTasksResponse',
    { tasks: list(task), nextPageToken: string, pageSize: int32, totalSize: int32 },
    ['tasks', 'nextPageToken', 'pageSize', 'totalSize'],
  ),
  CancelTask: task,
  SubscribeToTask: streamResponse,
  CreateTaskPushNotificationConfig: storedConfig,
  GetTaskPushNotificationConfig: storedConfig,
  ListTaskPushNotificationConfigs: answered('ListTaskPushNotificationConfigsResponse', {
    configs: list(storedConfig),
    nextPageToken: string,
  }),
  DeleteTaskPushNotificationConfig: answered('Empty', {}),
  GetExtendedAgentCard: card,
} as const satisfies Record<string, Read<unknown>>

/** The body of an HTTP+JSON error: google.rpc.Status (§11.6). */
export const errorSchema = answered<object>(
  'ErrorResponse',
  {
    error: answered('Status', { code: int32, status: string, message: string, details: list(anyValue) }, [
      'code',
      'status',
      'message',
    ]),
  },
  ['error'],
)
