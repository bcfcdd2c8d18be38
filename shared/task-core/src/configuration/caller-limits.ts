// How much one caller may do, and how it is told where a caller comes from.
import { createNetworkOf } from '../operations/index.ts'
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'
import { readHosts } from './values.ts'

export const callerLimits = {
  properties: {
    MAX_REQUESTS_PER_SECOND: whole(0, defaultSettings.maxRequestsPerSecond),
    MAX_MESSAGES_PER_MINUTE: whole(0, defaultSettings.maxMessagesPerMinute),
    MAX_AUTH_FAILURES_PER_MINUTE: whole(0, defaultSettings.maxAuthFailuresPerMinute),
    MAX_STREAMS_PER_CALLER: whole(0, defaultSettings.maxStreamsPerCaller),
    MAX_OPEN_TASKS_PER_CALLER: whole(0, defaultSettings.maxOpenTasksPerCaller),
    TRUST_PROXY: { type: 'string', default: '' },
  },
  read: (values) => ({
    maxRequestsPerSecond: values.MAX_REQUESTS_PER_SECOND,
    maxMessagesPerMinute: values.MAX_MESSAGES_PER_MINUTE,
    maxAuthFailuresPerMinute: values.MAX_AUTH_FAILURES_PER_MINUTE,
    maxStreamsPerCaller: values.MAX_STREAMS_PER_CALLER,
    maxOpenTasksPerCaller: values.MAX_OPEN_TASKS_PER_CALLER,
    trustProxy: readProxies(values.TRUST_PROXY),
  }),
} satisfies Part<object>

function readProxies(list: string): string[] {
  const proxies = readHosts(list)
  for (const proxy of proxies) {
    try {
      createNetworkOf([proxy])
    } catch {
      throw new Error(`TRUST_PROXY has "${proxy}", which is no address and no range such as 10.0.0.0/8.`)
    }
  }
  return proxies
}
