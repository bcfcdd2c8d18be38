// What is posted to the webhook of a config that a 0.3 client made: the task as it is then (§9.5 of 0.3).
import type { Task } from '../protocol/index.ts'
import { jsonShape } from './shape.ts'

/** The body for a task as of the event that is notified of. */
export const pushPayload03 = (task: Task): string => JSON.stringify(jsonShape.task(task))
