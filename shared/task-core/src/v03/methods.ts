// The names of 0.3's JSON-RPC methods (§3.5.6 of 0.3), and which operation each is.
import type { Operations } from '../operations/index.ts'

type OperationName = keyof Operations['unary'] | keyof Operations['streaming']

const names: { readonly [method: string]: OperationName } = {
  'message/send': 'SendMessage',
  'message/stream': 'SendStreamingMessage',
  'tasks/get': 'GetTask',
  'tasks/cancel': 'CancelTask',
  'tasks/resubscribe': 'SubscribeToTask',
  'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
  'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
  'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
  'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
}

/** The operation by its name in 1.0, for each method. */
export const methods03: ReadonlyMap<string, OperationName> = new Map(Object.entries(names))

/** True for a name in the manner of 0.3, whether or not there is such a method. */
export const isNameOf03 = (method: string): boolean => method.includes('/')
