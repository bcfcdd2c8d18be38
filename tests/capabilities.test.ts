// What a card declares is wanted or served, and what it does not declare is refused (§3.3.4, §4.6).
import { conformance } from '@a2a-kit/conformance'
import type { Agent } from '@a2a-kit/task-core'
import { replayExtension } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { operations } from './support/raw.ts'
import { expectRefusal } from './support/refusals.ts'
import { openWire } from './support/wire.ts'

describe('extensions', () => {
  const required: Agent = {
    ...conformance,
    extensions: [{ uri: 'urn:test:needed:1', required: true, description: 'Needed.' }],
  }
  const needs = (value: string) => ({ 'A2A-Extensions': value })

  test.each(bindings)(
    'EXTENSIONS-REQUIRED: over %s every operation wants the required one [CORE-CAP-004]',
    async (binding) => {
      const probe = await startProbe({ agent: required })
      for (const [operation, , , own] of operations) {
        const params = operation.startsWith('Send') ? { message: userMessage('complete') } : own
        const answer = await probe.call(binding, operation, params)
        expectRefusal(answer, binding, 'EXTENSION_SUPPORT_REQUIRED')
        expect(answer.error!.message).toContain('urn:test:needed:1')
      }
      const listed = await probe.call(binding, 'ListTasks', {}, needs('urn:other:1,  urn:test:needed:1'))
      expect(listed.result.tasks).toEqual([])
      const message = userMessage('complete')
      const { result } = await probe.call(binding, 'SendMessage', { message }, needs('urn:test:needed:1'))
      expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
    },
  )

  test('EXTENSIONS-REQUIRED: a list may come in lines of its own, whatever the case of their name', async () => {
    const probe = await startProbe({ agent: required })
    const wire = await openWire(probe.port)
    const lines = ['A2A-Version: 1.0', 'A2A-Extensions: urn:none:1', 'a2a-extensions: urn:test:needed:1']
    wire.send(`GET /a2a/tasks HTTP/1.1\r\nHost: localhost\r\n${lines.join('\r\n')}\r\n\r\n`)
    await wire.until(/"totalSize":0/)
    expect(wire.text()).toMatch(/^HTTP\/1\.1 200 /)
    expect(wire.text()).toMatch(/^a2a-extensions: urn:test:needed:1\r$/im)
  })

  test('what is active is echoed, and what is not known is passed over [HTTP_JSON-SVC-002]', async () => {
    const probe = await startProbe({ agent: required })
    const headers = {
      'A2A-Version': '1.0',
      'a2a-extensions': `urn:none:1, ${replayExtension},urn:test:needed:1`,
    }
    const { headers: answered } = await fetch(`${probe.url}/a2a/tasks`, { headers })
    expect(answered.get('a2a-extensions')?.split(', ').toSorted()).toEqual(
      [replayExtension, 'urn:test:needed:1'].toSorted(),
    )
  })
})

describe('what the card does not declare is not served', () => {
  test.each(bindings)(
    'CAPABILITY-GATES: over %s streams are refused with a plain error where there are none [CORE-CAP-002]',
    async (binding) => {
      const probe = await startProbe({ capabilities: { streaming: false } })
      for (const [operation, params] of [
        ['SendStreamingMessage', { message: userMessage('complete') }],
        ['SubscribeToTask', { id: 'x' }],
      ] as const) {
        expectRefusal(await probe.call(binding, operation, params), binding, 'UNSUPPORTED_OPERATION')
      }
      expect((await probe.call(binding, 'ListTasks', {})).result.totalSize).toBe(0)
    },
  )
})
