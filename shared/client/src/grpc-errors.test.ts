import { A2AError, type ErrorName, errorTable } from '@a2a-kit/task-core/protocol'
import type { status } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { isPassing } from './errors.ts'
import { detailed, errorOf } from './testing/grpc.ts'

const names = Object.keys(errorTable) as ErrorName[]
const info = (more: object) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...more })

describe('an error', () => {
  test.each(names)('GRPC-ERRORINFO: %s keeps its name by its reason, whatever its status', async (name) => {
    const { grpc } = errorTable[name]
    const details = detailed(new A2AError(name, 'x', { metadata: { taskId: 'T' } }).details())
    for (const code of [grpc, 'UNIMPLEMENTED'] as const) {
      const error = await errorOf(({ fail }) => fail(code, 'Because.', details))
      expect((error as A2AError).row.reason).toBe(errorTable[name].reason)
      expect(error).toMatchObject({ message: 'Because.', metadata: { taskId: 'T' }, cause: { grpc: code } })
    }
  })

  test('has the fields at fault', async () => {
    const violations = [{ field: 'message.parts', description: 'is required' }]
    const details = detailed(new A2AError('InvalidParamsError', 'x', { violations }).details())
    const error = await errorOf(({ fail }) => fail('INVALID_ARGUMENT', 'Bad.', details))
    expect(error).toMatchObject({ name: 'InvalidParamsError', violations })
  })

  test.each([
    ['missing', undefined],
    ['malformed', Buffer.from('nonsense')],
    ['empty', Buffer.alloc(0)],
    ['of another domain', detailed([info({ reason: 'TASK_NOT_CANCELABLE', domain: 'example.com' })])],
    ['of an unknown reason', detailed([info({ reason: 'SOMETHING', domain: 'a2a-protocol.org' })])],
    [
      'of a type that nobody knows',
      Buffer.from([0x1a, 12, 0x0a, 3, ...Buffer.from('x/y'), 0x12, 5, 1, 2, 3, 4, 5]),
    ],
  ])('GRPC-ERRORINFO: with details that are %s, the status decides', async (_, details) => {
    for (const [code, name] of [
      ['NOT_FOUND', 'TaskNotFoundError'],
      ['FAILED_PRECONDITION', 'UnsupportedOperationError'],
      ['UNIMPLEMENTED', 'UnsupportedOperationError'],
      ['INVALID_ARGUMENT', 'InvalidParamsError'],
      ['INTERNAL', 'InternalError'],
      ['UNKNOWN', 'InternalError'],
      ['PERMISSION_DENIED', 'HttpError'],
      ['UNAUTHENTICATED', 'HttpError'],
      ['RESOURCE_EXHAUSTED', 'HttpError'],
    ] as const) {
      const error = await errorOf(({ fail }) => fail(code, 'Because.', details))
      expect(error!.name, code).toBe(name)
      expect(error!.message).toContain('Because.')
    }
  })

  test('of a status that is none of the protocol has the status in its words', async () => {
    const error = await errorOf(({ fail }) => fail('PERMISSION_DENIED', 'Not you.'))
    expect(error!.message).toMatch(/^127\.0\.0\.1:\d+ answered gRPC PERMISSION_DENIED: Not you\.$/)
  })

  test('may pass where the agent is away or has too much to do, and not where a message is too large', async () => {
    const passing = async (code: keyof typeof status, text: string, details?: Uint8Array) =>
      isPassing(await errorOf(({ fail }) => fail(code, text, details)))
    expect(await passing('UNAVAILABLE', 'Down.')).toBe(true)
    const stopping = detailed(new A2AError('UnavailableError', 'x').details())
    expect(await passing('UNAVAILABLE', 'It stops.', stopping)).toBe(true)
    expect(await passing('RESOURCE_EXHAUSTED', 'Too many calls.')).toBe(true)
    const tooLarge = 'Received message larger than max (5 vs. 4)'
    expect(await passing('RESOURCE_EXHAUSTED', tooLarge)).toBe(false)
    expect(await passing('INTERNAL', 'Oh.')).toBe(false)
  })
})
