// What a refusal looks like on each binding (§5.4, §9.5, §11.6), and the ways in which a message can be sent.

import { status as grpc } from '@grpc/grpc-js'
import { expect } from 'vitest'
import { type Answer, type Binding, bindings, jsonBindings } from './probe.ts'

/** JSON-RPC code, HTTP status and gRPC status by reason. */
const refusals = {
  TASK_NOT_FOUND: [-32001, 404, grpc.NOT_FOUND],
  TASK_NOT_CANCELABLE: [-32002, 400, grpc.FAILED_PRECONDITION],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 400, grpc.FAILED_PRECONDITION],
  UNSUPPORTED_OPERATION: [-32004, 400, grpc.FAILED_PRECONDITION],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400, grpc.INVALID_ARGUMENT],
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: [-32007, 400, grpc.FAILED_PRECONDITION],
  EXTENSION_SUPPORT_REQUIRED: [-32008, 400, grpc.FAILED_PRECONDITION],
  VERSION_NOT_SUPPORTED: [-32009, 400, grpc.FAILED_PRECONDITION],
  INVALID_PARAMS: [-32602, 400, grpc.INVALID_ARGUMENT],
} as const

export type Reason = keyof typeof refusals

/** Holds that `answer` is this refusal, naming exactly `fields`: a plain answer, whose code and status are those of its binding. */
export function expectRefusal(answer: Answer, binding: Binding, reason: Reason, fields: string[] = []): void {
  const [code, http, grpcStatus] = refusals[reason]
  const shape = {
    JSONRPC: { code, status: 200, contentType: expect.stringContaining('application/json') },
    'HTTP+JSON': { code: http, status: http, contentType: expect.stringContaining('application/json') },
    GRPC: { code, status: grpcStatus, contentType: 'application/grpc' },
  }
  const { error, status, contentType } = answer
  expect({ ...error, status, contentType }).toEqual({
    ...shape[binding],
    reason,
    fields,
    message: expect.stringMatching(/^[^\n]{10,600}$/),
  })
  expectNoInsides(error!.message)
}

/** Holds that a text for a client shows nothing of the program behind it: no stack, no path, no database. */
export function expectNoInsides(text: string): void {
  expect(text).not.toMatch(/node_modules|\.[jt]s\b|\n\s+at |\/src\/|SQLITE|FST_ERR/)
}

export type Sending = 'SendMessage' | 'SendStreamingMessage'

const waysOver = <B extends Binding>(all: B[]) =>
  all.flatMap((binding) =>
    (['SendMessage', 'SendStreamingMessage'] as const).map((operation) => ({ binding, operation })),
  )

/** Every binding, blocking and streaming. */
export const waysToSend = waysOver(bindings)
/** What a message of gRPC cannot say at all, these can. */
export const jsonWaysToSend = waysOver(jsonBindings)
