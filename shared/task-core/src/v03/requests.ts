// What 0.3 clients send with a message, in either shape, as the request of 1.0 that is still to be checked.
import { type Fields, isObject, pick, present } from './objects.ts'
import { readPart } from './parts.ts'
import { readConfig } from './push-configs.ts'

const roles = new Map<unknown, string>([
  ['user', 'ROLE_USER'],
  ['agent', 'ROLE_AGENT'],
])

/** MessageSendParams of JSON-RPC. Without `blocking` the call waits, as it does at 0.3's own servers. */
export const readSend = (params: unknown): unknown => readSendRequest(params, { waits: true })

/**
 * SendMessageRequest of the proto. There a configuration without `blocking` says `false`, and a history length of 0 says all; a
 * request without a configuration waits.
 */
export const readProtoSend = (params: unknown): unknown => readSendRequest(params, { waits: false })

function readSendRequest(params: unknown, defaults: { waits: boolean }): unknown {
  if (!isObject(params)) return params
  const configuration = pick(params, 'configuration')
  return present({
    message: readMessage(pick(params, 'message', 'request')),
    configuration: isObject(configuration) ? readConfiguration(configuration, defaults) : configuration,
    metadata: pick(params, 'metadata'),
  })
}

/** A message in either shape. */
export function readMessage(given: unknown): unknown {
  if (!isObject(given)) return given
  const { role, parts: _, content: __, ...rest } = given
  const parts = pick(given, 'parts', 'content')
  return present({
    ...rest,
    role: roles.get(role) ?? role,
    parts: Array.isArray(parts)
      ? parts.map((part, index) => readPart(part, `message.parts[${index}]`))
      : parts,
  })
}

function readConfiguration(given: Fields, { waits }: { waits: boolean }): Fields {
  const blocking = pick(given, 'blocking')
  const historyLength = pick(given, 'historyLength', 'history_length')
  const names = [
    'pushNotificationConfig',
    'push_notification_config',
    'pushNotification',
    'push_notification',
  ]
  return present({
    acceptedOutputModes: pick(given, 'acceptedOutputModes', 'accepted_output_modes'),
    taskPushNotificationConfig: readConfig(pick(given, ...names)),
    historyLength: historyLength === 0 && !waits ? undefined : historyLength,
    returnImmediately: typeof blocking === 'boolean' ? !blocking : (blocking ?? !waits),
  })
}
