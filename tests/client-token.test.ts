// The client of a caller with a token: it says who it is on every request, to the agent that it was meant for and to nobody else.
import { CardError, connect } from '@a2a-kit/client'
import { conformance } from '@a2a-kit/conformance'
import { textOf } from '@a2a-kit/task-core'
import type { Message } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { bindings, startProbe } from './support/probe.ts'

const token = 'a-token-of-alice-1'
const extended = { skills: [{ id: 'more', name: 'More', description: 'More.', tags: ['x'] }] }
const start = () => startProbe({ agent: { ...conformance, extended }, callerTokens: { alice: token } })
const message = (text: string): Message => ({
  messageId: `${text}-${Math.random()}`,
  role: 'ROLE_USER',
  parts: [{ text }],
})

describe.each(bindings)('over %s', (binding) => {
  test('the token is sent with calls and streams, and shows the extended card', async () => {
    const probe = await start()
    const client = await connect(probe.url, { token, bindings: [binding] })
    const { task } = await client.sendMessage(message('working; sleep 1; complete done'), {
      returnImmediately: true,
    })
    const seen = await Array.fromAsync(client.watch(task!.id))
    expect(textOf(seen.at(-1)!.task.status.message)).toBe('done')
    expect((await client.listTasks()).totalSize).toBe(1)
    expect((await client.getExtendedAgentCard()).skills.map(({ id }) => id)).toContain('more')
  })

  test('without it every call is refused, and the error says what to do', async () => {
    const client = await connect((await start()).url, { bindings: [binding] })
    await expect(client.sendMessage(message('complete'))).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      message: expect.stringContaining('Authorization: Bearer'),
    })
  })

  test('a token that is refused is asked for again where it may be another one, and thrown at once where not', async () => {
    const probe = await start()
    const tokens = ['one-that-has-expired', 'one-that-has-expired', token]
    const asked: string[] = []
    const next = () => {
      asked.push(tokens.shift() ?? token)
      return asked.at(-1)!
    }
    const client = await connect(probe.url, { token: next, bindings: [binding], retry: { firstMs: 1 } })
    expect((await client.listTasks()).totalSize).toBe(0)
    expect(asked).toHaveLength(3)
    const late = { token: 'one-that-has-expired', bindings: [binding] }
    const other = await connect(probe.url, late)
    await expect(other.listTasks()).rejects.toMatchObject({ name: 'UnauthenticatedError' })
    const watching = Array.fromAsync(other.watch('T'))
    await expect(watching).rejects.toMatchObject({ name: 'UnauthenticatedError' })
  })

  test('a card that leads to another host does not get the token there', async () => {
    const probe = await startProbe({ publicUrl: 'https://evil.example', callerTokens: { alice: token } })
    const address = `http://localhost:${probe.port}`
    const error = await connect(address, { token, bindings: [binding] }).catch((reason) => reason)
    expect(error).toBeInstanceOf(CardError)
    expect(error.message).toContain('leads to evil.example, another host: the token is not sent there')
  })
})
