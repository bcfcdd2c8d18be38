// Who may do what (§7, §13): every operation asks who calls, and an authorization is given outside the protocol.
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { operate } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { operations, raw, requestOf } from './support/raw.ts'
import { untilState } from './support/wait.ts'

describe('with tokens', () => {
  const callerTokens = { alice: 'a-token-of-alice-1', bob: 'a-token-of-bob-1234' }
  const bob = { Authorization: `Bearer ${callerTokens.bob}` }

  test.each(operations)(
    '%s over both JSON bindings is refused without a token that is known, with the scheme to use [AUTH-SERVER-002] [AUTH-SCOPE-001]',
    async (operation) => {
      const probe = await startProbe({ callerTokens })
      for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
        const [path, init] = requestOf(binding, operation)
        for (const [authorization, challenge] of [
          [undefined, 'Bearer'],
          ['Bearer another-token-1', 'Bearer error="invalid_token"'],
          [`Basic ${callerTokens.bob}`, 'Bearer'],
          ['', 'Bearer'],
        ]) {
          const headers = new Headers(init.headers)
          if (authorization !== undefined) headers.set('Authorization', authorization)
          const answer = await raw(`${probe.url}/a2a${path}`, { ...init, headers })
          expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
          const { data, details } = answer.body.error
          expect((data ?? details)[0].reason).toBe('UNAUTHENTICATED')
        }
      }
    },
  )

  test.each(bindings)(
    'over %s what is another caller’s cannot be told from what never was [AUTH-SCOPE-002] [AUTH-SCOPE-003] [BIND-EQUIV-004]',
    async (binding) => {
      const probe = await startProbe({ callerTokens })
      const alice = { Authorization: `Bearer ${callerTokens.alice}` }
      const message = userMessage('ask What?', { contextId: 'of-alice' })
      const { result } = await probe.call(binding, 'SendMessage', { message }, alice)
      const { id } = result.task as Task
      const asBob = async (operation: string, params: object) => {
        const { error, ...rest } = await probe.call(binding, operation, params, bob)
        return {
          ...rest,
          error: { ...error, message: error?.message.replaceAll(id, '').replaceAll('none', '') },
        }
      }
      const sent = (taskId: string) => ({ message: userMessage('answer', { taskId }) })
      for (const operation of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
        const theirs = await asBob(operation, { id })
        expect(theirs.error.reason).toBe('TASK_NOT_FOUND')
        expect(theirs).toEqual(await asBob(operation, { id: 'none' }))
      }
      for (const operation of ['SendMessage', 'SendStreamingMessage']) {
        expect(await asBob(operation, sent(id))).toEqual(await asBob(operation, sent('none')))
      }
      for (const filter of [{}, { contextId: 'of-alice' }, { status: 'TASK_STATE_INPUT_REQUIRED' }]) {
        const { result: listed } = await probe.call(binding, 'ListTasks', filter, bob)
        expect(listed).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' })
      }
      expect((await probe.call(binding, 'GetTask', { id }, alice)).result).toEqual(result.task)
    },
  )
})

describe('an authorization', () => {
  test.each(bindings)(
    'over %s is a task in TASK_STATE_AUTH_REQUIRED that explains itself, and is given outside the protocol [AUTH-INTASK-001] [AUTH-INTASK-002] [AUTH-INTASK-003] [AUTH-INTASK-004]',
    async (binding) => {
      const probe = await startProbe()
      const { result } = await probe.call(binding, 'SendMessage', {
        message: userMessage('authorize cleanup'),
      })
      const { id, status } = result.task as Task
      expect(status.state).toBe('TASK_STATE_AUTH_REQUIRED')
      const [{ text } = {}] = status.message!.parts
      expect(text).toContain('must approve cleanup')
      expect(text).toContain(`${probe.url}/approve/${id}`)
      // Words on the task are no authorization.
      const message = userMessage('approved', { taskId: id })
      const answered = await probe.call(binding, 'SendMessage', { message })
      expect(answered.result.task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
      expect((await operate(probe, 'approve', id)).status).toBe(200)
      await untilState(probe, id, 'COMPLETED')
    },
  )
})
