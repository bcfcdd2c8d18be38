// What a refusal looks like on each binding (§5.4, §9.5, §11.6), and the ways in which a message can be sent.
import { expect } from 'vitest'
import { type Answer, type Binding, bindings } from './probe.ts'

/** JSON-RPC code and HTTP status by reason. */
const refusals = {
  TASK_NOT_FOUND: [-32001, 404],
  TASK_NOT_CANCELABLE: [-32002, 400],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400],
  UNSUPPORTED_OPERATION: [-32004, 400],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400],
  VERSION_NOT_SUPPORTED: [-32009, 400],
  INVALID_PARAMS: [-32602, 400],
} as const

export type Reason = keyof typeof refusals

/** Holds that `answer` is this refusal, naming exactly `fields`: a plain body, whose HTTP status is that of its binding. */
export function expectRefusal(answer: Answer, binding: Binding, reason: Reason, fields: string[] = []): void {
  const [code, http] = refusals[reason]
  const { error, status, contentType } = answer
  expect({ ...error, status, contentType }).toEqual({
    code: binding === 'JSONRPC' ? code : http,
    status: binding === 'JSONRPC' ? 200 : http,
    reason,
    fields,
    message: expect.stringMatching(/^[^\n]{10,600}$/),
    contentType: expect.stringContaining('application/json'),
  })
  expectNoInsides(error!.message)
}

/** Holds that a text for a client shows nothing of the program behind it: no stack, no path, no database. */
export function expectNoInsides(text: string): void {
  expect(text).not.toMatch(/node_modules|\.[jt]s\b|\n\s+at |\/src\/|SQLITE|FST_ERR/)
}

export type Sending = 'SendMessage' | 'SendStreamingMessage'

/** Both bindings, blocking and streaming. */
export const waysToSend = bindings.flatMap((binding) =>
  (['SendMessage', 'SendStreamingMessage'] as const).map((operation) => ({ binding, operation })),
)
