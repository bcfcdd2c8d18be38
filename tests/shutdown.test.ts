// A stop of the process: streams end at a frame, waits are told, nobody holds it up, and the tasks go on afterwards.
import { expect, test } from 'vitest'
import { startChild } from './support/child.ts'
import { jsonBindings, userMessage } from './support/probe.ts'
import { says } from './support/talk.ts'
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
  const hanging = await begin('working; hang')
  const sleeping = await begin('working; sleep 1000; complete rested')
  const writing = await begin('chunks 1000 every 1ms of 1000000')
  for (const id of [hanging, sleeping]) await untilState(before, id, 'WORKING')
  const [stalled, late] = [await openWire(port), await openWire(port)]
  for (const wire of [stalled, late]) {
    wire.socket.pause()
    wire.send(subscription(writing))
  }
  const reader = await openWire(port)
  reader.send(subscription(writing))
  const quiet = await openWire(port)
  quiet.send(subscription(hanging))
  await Promise.all([reader.until(/chunk-12 /), quiet.until(/WORKING/)])
  const waits = jsonBindings.map((binding) => {
    const params = { message: userMessage('working; hang') }
    const [path, body] =
      binding === 'JSONRPC'
        ? ['', { jsonrpc: '2.0', id: 7, method: 'SendMessage', params }]
        : ['/message:send', params]
    return fetch(`${before.url}/a2a${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  })
  const contextId = 'to know that the waits have begun'
  await before.call('JSONRPC', 'SendMessage', { message: userMessage('complete', { contextId }) })

  await openWire(port) // and one that never says anything, as browsers open them in advance

  // By itself it ends with 0; what it could not stop in time would end with 1.
  const ended = before.end('SIGTERM')
  late.socket.resume() // it has fallen behind, and reads on now
  expect(await ended).toBe(0)

  for (const stream of [reader, quiet, late]) {
    await stream.until(/\r\n0\r\n\r\n$/)
    expect(bodyOf(stream.text()).replaceAll(/^:\n/gm, '').slice(-20)).toMatch(/\}\n\n$/)
  }
  const [jsonRpc, httpJson] = await Promise.all(waits)
  for (const answer of [jsonRpc!, httpJson!]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  }
  const details = [expect.objectContaining({ reason: 'UNAVAILABLE' })]
  const message = expect.stringContaining('Send the same message again')
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
  expect(says(await untilState(after, sleeping, 'COMPLETED'))).toBe('rested')
  await untilState(after, hanging, 'WORKING')
})
