import { A2AError, type ErrorName, errorTable } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { factsOf, HttpError } from './errors.ts'
import { errorOf } from './wire-errors.ts'

const names = Object.keys(errorTable) as ErrorName[]
const a2aNames = names.filter((name) => errorTable[name].code > -32010 && errorTable[name].code < -32000)
const info = (more: object) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...more }]
const nameOf = (...args: Parameters<typeof errorOf>) => errorOf(...args).name

describe.each(names)('GRPC-ERRORINFO: %s', (name) => {
  const { code, http, grpc } = errorTable[name]
  const details = new A2AError(name, '').details()

  test('keeps its name over HTTP+JSON', () => {
    expect(nameOf({ status: grpc, message: 'x', details }, { status: http }, 'host')).toBe(name)
  })

  test('keeps its name over JSON-RPC with its own HTTP status', () => {
    expect(nameOf({ code, message: 'x', details }, { status: http }, 'host')).toBe(name)
  })
})

test.each(a2aNames)('GRPC-ERRORINFO: %s is known by its reason in a JSON-RPC body of HTTP 200', (name) => {
  const { code, reason } = errorTable[name]
  const error = errorOf({ code, details: new A2AError(name, '').details() }, { status: 200 }, 'host')
  expect((error as A2AError).row.reason).toBe(reason)
  expect(factsOf(error)).toMatchObject({ status: 200, code })
})

test.each([
  ['missing', undefined],
  ['no list', { reason: 'TASK_NOT_CANCELABLE' }],
  ['a list of nonsense', [null, 1, 'x', [], { '@type': 5 }]],
  ['of another domain', info({ reason: 'TASK_NOT_CANCELABLE', domain: 'example.com' })],
  ['of an unknown reason', info({ reason: 'SOMETHING_ELSE', domain: 'a2a-protocol.org' })],
  ['of a malformed reason', info({ reason: { a: 1 }, domain: 'a2a-protocol.org', metadata: 7 })],
])('GRPC-ERRORINFO: with details that are %s, the code decides, then the status', (_, details) => {
  expect(nameOf({ code: -32001, details }, { status: 200 }, 'host')).toBe('TaskNotFoundError')
  expect(nameOf({ code: -31999, details }, { status: 200 }, 'host')).toBe('InternalError')
  expect(nameOf({ status: 'NOT_FOUND', details }, { status: 404 }, 'host')).toBe('TaskNotFoundError')
  expect(nameOf({ status: 'FAILED_PRECONDITION', details }, { status: 400 }, 'host')).toBe(
    'UnsupportedOperationError',
  )
  expect(nameOf({ status: 5, message: {}, details }, { status: 400 }, 'host')).toBe('InvalidParamsError')
})

test('the reason outweighs the code', () => {
  const details = info({ reason: 'TASK_NOT_CANCELABLE', domain: 'a2a-protocol.org' })
  expect(nameOf({ code: -32004, details }, { status: 200 }, 'host')).toBe('TaskNotCancelableError')
})

test('message, metadata and field violations come through', () => {
  const details = [
    ...info({ reason: 'INVALID_PARAMS', domain: 'a2a-protocol.org', metadata: { taskId: 'T', n: 1 } }),
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'message.parts', description: 'is required' }, null],
    },
  ]
  expect(errorOf({ code: -32602, message: 'Bad.', details }, { status: 200 }, 'host')).toMatchObject({
    message: 'Bad.',
    metadata: { taskId: 'T' },
    violations: [{ field: 'message.parts', description: 'is required' }],
  })
})

test('a status that is none of the protocol is an HttpError with host, status and words', () => {
  const error = errorOf(
    { code: -32000, message: 'Who are you?', details: [] },
    { status: 401 },
    'agents.example',
  )
  expect(error).toBeInstanceOf(HttpError)
  expect(error).toMatchObject({ status: 401, message: 'agents.example answered HTTP 401: Who are you?' })
})
