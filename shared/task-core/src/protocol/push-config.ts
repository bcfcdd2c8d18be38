// Reads a push notification config (§4.3): an address that can be called, and texts that can stand in a header.
import { described, fault, idFromClient, type Read, string } from './json.ts'
import { message } from './json-composites.ts'
import type { TaskPushNotificationConfig } from './types.ts'

const longestUrl = 2048
const longestHeader = 8192

const webhookUrl: Read<string> = described({ type: 'string', format: 'uri' }, (value, path, faults) => {
  const text = string(value, path, faults)
  if (text === undefined || text === '') return text
  if (text.length > longestUrl) return fault(faults, path, `must have at most ${longestUrl} characters`)
  const url = /[\p{Cc}\s\\]/u.test(text) ? null : URL.parse(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return fault(faults, path, 'must be an absolute http or https URL')
  }
  if (url.username || url.password) {
    return fault(faults, path, 'must not have a user or password in it: use authentication')
  }
  return text
})

/** Printable ASCII without spaces at its ends, so that it is sent as it is and no second header can hide in it. */
const headerValue: Read<string> = described({ type: 'string' }, (value, path, faults) => {
  const text = string(value, path, faults)
  if (text === undefined || text === '') return text
  if (text.length > longestHeader) return fault(faults, path, `must have at most ${longestHeader} characters`)
  return /^[!-~]([ -~]*[!-~])?$/.test(text)
    ? text
    : fault(faults, path, 'must be printable ASCII, with no space at either end')
})

const scheme: Read<string> = described({ type: 'string' }, (value, path, faults) => {
  const text = string(value, path, faults)
  if (text === undefined || text === '' || /^[\w!#$%&'*+.^`|~-]{1,64}$/.test(text)) return text
  return fault(faults, path, 'must be the name of an HTTP authentication scheme, such as Bearer')
})

/** A config; `required` are the fields that it needs besides `url`. */
export const pushConfig = (required: readonly string[]): Read<TaskPushNotificationConfig> =>
  message<TaskPushNotificationConfig>(
    {
      tenant: string,
      id: idFromClient,
      taskId: string,
      url: webhookUrl,
      token: headerValue,
      authentication: message(
        { scheme, credentials: headerValue },
        { name: 'AuthenticationInfo', required: ['scheme'] },
      ),
    },
    // As an answer and inline with a message it needs no ids of the client's.
    { ...(required.length === 0 && { name: 'TaskPushNotificationConfig' }), required: [...required, 'url'] },
  )
