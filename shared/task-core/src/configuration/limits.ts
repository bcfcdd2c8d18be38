// How much of anything an agent takes.
import { defaultSettings } from '../settings.ts'
import { type Part, whole } from './part.ts'

export const limits = {
  properties: { MAX_BODY_BYTES: whole(1024, defaultSettings.maxBody) },
  read: (values) => ({ maxBody: values.MAX_BODY_BYTES }),
} satisfies Part<object>
