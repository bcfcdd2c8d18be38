// Where push notifications may go, and how they are tried again.
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'
import { readHosts } from './values.ts'

export const push = {
  properties: {
    PUSH_ALLOWED_HOSTS: { type: 'string', default: '' },
    PUSH_TIMEOUT_MS: whole(100, defaultSettings.pushTimeout),
    PUSH_ATTEMPTS: whole(1, defaultSettings.pushAttempts),
    PUSH_FIRST_DELAY_MS: whole(1, defaultSettings.pushFirstDelay),
    PUSH_LONGEST_DELAY_MS: whole(1, defaultSettings.pushLongestDelay),
  },
  read: (values) => ({
    pushAllowedHosts: readHosts(values.PUSH_ALLOWED_HOSTS),
    pushTimeout: values.PUSH_TIMEOUT_MS,
    pushAttempts: values.PUSH_ATTEMPTS,
    pushFirstDelay: values.PUSH_FIRST_DELAY_MS,
    pushLongestDelay: values.PUSH_LONGEST_DELAY_MS,
  }),
} satisfies Part<object>
