import { createHash } from 'node:crypto'
import { lazyAgent } from '@a2a-kit/client'
import { textOf } from '@a2a-kit/task-core'
import {
  type ApprovalRequest,
  answerSchemaExtension,
  approvalExtension,
  replayExtension,
  retryAtExtension,
  type Struct,
  type Task,
} from '@a2a-kit/task-core/protocol'
import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { ended } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'

const schema: Struct = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] }
const asking = testAgent(async (task) => {
  const { parts } = await task.ask('Which color?', { schema })
  return parts
})

test('the card declares the four extensions, none of them required', async () => {
  const probe = await startProbe()
  const uris = probe.card.capabilities.extensions!.map(({ uri, required }) => [uri, required])
  expect(uris).toEqual(
    [replayExtension, approvalExtension, answerSchemaExtension, retryAtExtension].map((uri) => [
      uri,
      undefined,
    ]),
  )
})

describe('a request for approval', () => {
  test.each(bindings)(
    'says over %s as data what it covers, until when, and where to decide',
    async (binding) => {
      const probe = await startProbe({ settings: { approvalTtl: 3600 } })
      const { result } = await probe.call(binding, 'SendMessage', {
        message: userMessage('authorize cleanup'),
      })
      const { status, id } = result.task as Task
      const asked = status.message?.metadata?.[approvalExtension] as unknown as ApprovalRequest
      expect(status.message?.extensions).toEqual([approvalExtension])
      expect(asked.operation).toEqual({ action: 'cleanup' })
      expect(asked.digest).toBe(createHash('sha256').update(canonicalize(asked.operation)!).digest('hex'))
      expect(Date.parse(asked.expiresAt) - Date.parse(status.timestamp!)).toBeGreaterThan(3_590_000)
      expect(asked.approveUrl).toBe(`${probe.url}/approve/${id}`)
      expect(textOf(status.message)).toContain(asked.approveUrl)

      const decide = (url: string, digest: string) =>
        fetch(url, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ digest }),
        })
      expect((await decide(asked.approveUrl, '0'.repeat(64))).status).toBe(409)
      expect((await decide(asked.denyUrl, asked.digest)).status).toBe(200)
      expect((await ended(probe, id)).status.state).toBe('TASK_STATE_REJECTED')
    },
  )
})

test('what another agent asks is passed up as data too', async () => {
  const asked = await startProbe({ agent: asking })
  const passing = testAgent(async (task) => {
    const { task: done } = await task.follow('ask', { agent: lazyAgent(asked.url), message: 'go' })
    return textOf(done.status.message)
  })
  const probe = await startProbe({ agent: passing })
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage('go') })
  const { status } = result.task as Task
  expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  expect(status.message?.extensions).toEqual([answerSchemaExtension])
  expect(status.message?.metadata).toEqual({ [answerSchemaExtension]: schema })
})
