// A stop of the process: streams end at a frame, waits are told, nobody holds it up, and the tasks go on afterwards.
import { expect, test } from 'vitest'
import { startChild } from './support/child.ts'
import { bindings, userMessage } from './support/probe.ts'
import { untilState } from './support/wait.ts'
import { bodyOf, openWire, subscription } from './support/wire.ts'

const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }

test('a stop with a client that does not read, a step that hangs and waits that are open is clean, and in time', async () => {
  const before = await startChild({ env: { STREAM_ARTIFACTS: 'true', LOG_LEVEL: 'warn' } })
  const port = Number(new URL(before.url).port)
  const begin = async (text: string) => {
    const configuration = { returnImmediately: true }
    const { result } = await before.call('JSONRPC', 'SendMessage', {
      message: userMessage(text),
      configuration,
    })
    return result.task.id as string
  }
  const [hanging, writing] = [await begin('working; hang'), await begin('chunks 150 every 2ms of 200000')]
  await untilState(before, hanging, 'WORKING')
  const stalled = await openWire(port)
  stalled.socket.pause()
  stalled.send(subscription(writing))
  const reader = await openWire(port)
  reader.send(subscription(writing))
  const quiet = await openWire(port)
  quiet.send(subscription(hanging))
  await Promise.all([reader.until(/chunk-20 /), quiet.until(/WORKING/)])
  const waits = bindings.map((binding) => {
    const params = { message: userMessage('working; hang') }
    const [path, body] =
      binding === 'JSONRPC'
        ? ['', { jsonrpc: '2.0', id: 7, method: 'SendMessage', params }]
        : ['/message:send', params]
    return fetch(`${before.url}/a2a${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  })
  const contextId = 'to know that the waits have begun'
  await before.call('JSONRPC', 'SendMessage', { message: userMessage('complete', { contextId }) })

  // By itself it ends with 0; what it could not stop in time would end with 1.
  expect(await before.end('SIGTERM')).toBe(0)

  for (const stream of [reader, quiet]) {
    await stream.until(/\r\n0\r\n\r\n$/)
    expect(bodyOf(stream.text()).endsWith('}\n\n')).toBe(true)
  }
  const [jsonRpc, httpJson] = await Promise.all(waits)
  for (const answer of [jsonRpc!, httpJson!]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  }
  const details = [expect.objectContaining({ reason: 'UNAVAILABLE' })]
  const message = 'The agent is stopping; the task goes on later. Send the same message again.'
  expect(await jsonRpc!.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32603, message, data: details },
  })
  expect(await httpJson!.json()).toEqual({ error: { code: 503, status: 'UNAVAILABLE', message, details } })
  const failures = before
    .log()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
  expect(failures.filter((line) => !line.includes('"name":"UnavailableError"'))).toEqual([])

  const after = await before.again()
  await untilState(after, hanging, 'WORKING')
  const { artifacts } = await untilState(after, writing, 'COMPLETED')
  expect(artifacts![0]!.parts).toHaveLength(150)
})
