// The paths of the HTTP+JSON binding (§11.3): one table, from which the routes are made and described.

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  /** As the specification writes it, ids in braces. */
  path: string
  /** The operation of each HTTP method. */
  verbs: Partial<Record<Method, string>>
  /** How long an answer may be kept, and by whom. */
  cacheControl?: string
}

const config = '/tasks/{taskId}/pushNotificationConfigs'

export const routes: readonly Route[] = [
  { path: '/message:send', verbs: { POST: 'SendMessage' } },
  { path: '/message:stream', verbs: { POST: 'SendStreamingMessage' } },
  { path: '/tasks', verbs: { GET: 'ListTasks' } },
  { path: '/tasks/{id}', verbs: { GET: 'GetTask' } },
  { path: '/tasks/{id}:cancel', verbs: { POST: 'CancelTask' } },
  // §5.3 says POST, the proto GET: both.
  { path: '/tasks/{id}:subscribe', verbs: { POST: 'SubscribeToTask', GET: 'SubscribeToTask' } },
  {
    path: config,
    verbs: { POST: 'CreateTaskPushNotificationConfig', GET: 'ListTaskPushNotificationConfigs' },
  },
  {
    path: `${config}/{id}`,
    verbs: { GET: 'GetTaskPushNotificationConfig', DELETE: 'DeleteTaskPushNotificationConfig' },
  },
  {
    path: '/extendedAgentCard',
    verbs: { GET: 'GetExtendedAgentCard' },
    cacheControl: 'private, max-age=60', // §13.3: it is for one caller
  },
]

/** The path as the server's router writes it. A task id never has a colon: what follows one is the verb. */
export const routerPath = (path: string): string =>
  path
    .replaceAll(':', '::')
    .replace(/\/tasks\/\{(\w+)\}/, '/tasks/:$1(^[^:]+)')
    .replace(/\{(\w+)\}/, ':$1')

/** The names of the ids in the path. */
export const idsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
