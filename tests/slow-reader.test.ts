// A client that does not read: bounded in memory, and nobody else's trouble.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type Child, startChild } from './support/child.ts'
import { userMessage } from './support/probe.ts'
import { untilState } from './support/wait.ts'

const mebi = 1024 * 1024
const chunks = 100

async function memory({ process }: Child): Promise<{ held: number }> {
  process.send('how much?')
  const [answer] = await once(process, 'message')
  return answer
}

/** Subscribes on a connection of its own, and has read what came first. */
async function subscribe({ url }: Child, id: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET /a2a/tasks/${id}:subscribe HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

test('100 MB for clients that do not read grow the process by less than 20 MiB, and hold up nobody', async () => {
  const env = { STREAM_ARTIFACTS: 'true', LOG_LEVEL: 'silent', MAX_ARTIFACT_BYTES: `${200 * mebi}` }
  const agent = await startChild({ main: 'tests/support/measured-agent.ts', flags: ['--expose-gc'], env })
  const sendMessage = async (text: string) => {
    const configuration = { returnImmediately: true, historyLength: 0 }
    return (await agent.call('JSONRPC', 'SendMessage', { message: userMessage(text), configuration })).result
      .task.id
  }
  const warm = await sendMessage('chunks 5 of 1048576')
  await untilState(agent, warm, 'COMPLETED')
  const id = await sendMessage(`working; ask; chunks ${chunks} of ${mebi}`)
  await untilState(agent, id, 'INPUT_REQUIRED')
  const stalled = await Promise.all(Array.from({ length: 3 }, () => subscribe(agent, id)))
  const reader = await subscribe(agent, id)
  const before = await memory(agent)

  await agent.call('JSONRPC', 'SendMessage', {
    message: userMessage('go', { taskId: id }),
    configuration: { returnImmediately: true, historyLength: 0 },
  })
  let read = 0
  let measured = 0
  let most = 0
  for await (const data of reader as AsyncIterable<Buffer>) {
    read += data.length
    if (read > chunks * mebi) break
    if (read - measured < (chunks / 4) * mebi) continue
    measured = read
    most = Math.max(most, (await memory(agent)).held)
    expect((await fetch(`${agent.url}/health`)).status).toBe(200)
  }
  most = Math.max(most, (await memory(agent)).held)
  expect((most - before.held) / mebi).toBeLessThan(20)
  for (const socket of stalled) socket.destroy()
})
