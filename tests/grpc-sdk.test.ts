// The protocol's own JavaScript SDK as the client over gRPC: its messages are made from the official proto, so the numbers agree.
import { ClientFactory } from '@a2a-js/sdk/client'
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc'
import { expect, test } from 'vitest'
import { type Probe, startProbe } from './support/probe.ts'
import { untilState } from './support/wait.ts'

/** The SDK's numbers for the states. */
const [working, completed, inputRequired, authRequired] = [2, 3, 6, 8]

async function sdkClient(probe: Probe) {
  const transports = [new GrpcTransportFactory()]
  return new ClientFactory({ transports, preferredTransports: ['GRPC'] }).createFromUrl(probe.url)
}

const request = (text: string, taskId = '') => ({
  tenant: '',
  message: {
    messageId: crypto.randomUUID(),
    contextId: '',
    taskId,
    role: 1,
    parts: [
      { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' },
      {
        content: { $case: 'data' as const, value: { list: [1.5, null, 'x', {}] } },
        metadata: { why: 'to have one' },
        filename: '',
        mediaType: '',
      },
    ],
    metadata: { deep: { deeper: true } },
    extensions: ['urn:a'],
    referenceTaskIds: ['none'],
  },
  configuration: undefined,
  metadata: undefined,
})

test('what it sends is kept as it was meant, and what it reads is what the agent has', async () => {
  const probe = await startProbe()
  const client = await sdkClient(probe)
  const sent = request('artifact a b; complete done')
  const answer = await client.sendMessage(sent)
  if (!('status' in answer)) throw new Error('no task')
  expect(answer.status!.state).toBe(completed)
  expect(answer.artifacts[0]!.parts[0]!.content).toEqual({ $case: 'text', value: 'b' })
  const { result } = await probe.call('JSONRPC', 'GetTask', { id: answer.id })
  expect(result.history[0]).toMatchObject({
    messageId: sent.message.messageId,
    role: 'ROLE_USER',
    parts: [
      { text: 'artifact a b; complete done' },
      { data: { list: [1.5, null, 'x', {}] }, metadata: { why: 'to have one' } },
    ],
    metadata: { deep: { deeper: true } },
    extensions: ['urn:a'],
    referenceTaskIds: ['none'],
  })
  const short = await client.getTask({ tenant: '', id: answer.id, historyLength: 0 })
  expect([short.id, short.history]).toEqual([answer.id, []])
})

test('both waits, and a stream to its end', async () => {
  const probe = await startProbe()
  const client = await sdkClient(probe)
  const asked = await client.sendMessage(request('ask which?; authorize; complete done'))
  if (!('status' in asked)) throw new Error('no task')
  expect(asked.status!.state).toBe(inputRequired)
  const states: (number | undefined)[] = []
  const reading = (async () => {
    for await (const { payload } of client.resubscribeTask({ tenant: '', id: asked.id })) {
      if (payload?.$case === 'task' || payload?.$case === 'statusUpdate')
        states.push(payload.value.status?.state)
    }
  })()
  await expect.poll(() => states).toEqual([inputRequired])
  const answered = await client.sendMessage(request('main', asked.id))
  expect('status' in answered && answered.status!.state).toBe(authRequired)
  await untilState(probe, asked.id, 'AUTH_REQUIRED')
  await fetch(`${probe.url}/approve/${asked.id}`, { method: 'POST' })
  await reading
  expect(states).toEqual([inputRequired, working, authRequired, working, completed])
})

test('RESUB-TERMINAL-CODE, GRPC-ERRORINFO: it knows errors by their reasons', async () => {
  const client = await sdkClient(await startProbe())
  await expect(client.getTask({ tenant: '', id: 'unknown', historyLength: undefined })).rejects.toMatchObject(
    {
      name: 'TaskNotFoundError',
    },
  )
  const ended = await client.sendMessage(request('complete'))
  if (!('status' in ended)) throw new Error('no task')
  await expect(client.resubscribeTask({ tenant: '', id: ended.id }).next()).rejects.toMatchObject({
    name: 'UnsupportedOperationError',
  })
  await expect(client.cancelTask({ tenant: '', id: ended.id, metadata: undefined })).rejects.toMatchObject({
    name: 'TaskNotCancelableError',
  })
})
