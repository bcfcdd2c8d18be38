// How long an agent keeps what is finished.
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'

export const retention = {
  properties: { TASK_RETENTION: whole(1, defaultSettings.taskRetention) },
  read: (values) => ({ taskRetention: values.TASK_RETENTION }),
} satisfies Part<object>
