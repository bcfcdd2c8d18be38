// Servers of HTTP/2 that speak no gRPC, or only half of it, are told apart from agents that refuse; and those that forbid pings.
import {
  createServer,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hello } from '../testing/fixtures.ts'
import { grpcTransport } from './grpc.ts'

const noLimits = { replyMs: 0, blockingMs: 0, idleMs: 0 }

/** A server of HTTP/2 that answers each request with `answer`, which is told the path. */
async function serving(answer: (stream: ServerHttp2Stream, path: string) => void) {
  const server = createServer().on('stream', (stream, headers) => answer(stream, String(headers[':path'])))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const answering = (headers: OutgoingHttpHeaders) =>
  serving((stream) => stream.respond(headers, { endStream: true }))

test('an answer without its message is an invalid one, and no word of the agent', async () => {
  const { target } = await answering({ 'content-type': 'application/grpc', 'grpc-status': '0' })
  await expect(grpcTransport(target, noLimits).call('GetTask', { id: 'T' }, {})).rejects.toMatchObject({
    name: 'InvalidAgentResponseError',
    message: `${target} ended the call without an answer.`,
  })
})

test.each([
  [404, 'InvalidAgentResponseError', /is not gRPC; check the address/],
  [200, 'InvalidAgentResponseError', /is not gRPC; check the address/],
  [401, 'HttpError', /UNAUTHENTICATED/],
  [502, 'ConnectionError', /502/],
])('an answer of HTTP %i that is no gRPC is a %s', async (status, name, message) => {
  const { target } = await answering({ ':status': status, 'content-type': 'text/html' })
  await expect(grpcTransport(target, noLimits).call('GetTask', { id: 'T' }, {})).rejects.toMatchObject({
    name,
    message: expect.stringMatching(message),
  })
})

test('a call that answers once is not pinged, however long it takes: most servers would end it, and it would be sent again', async () => {
  const came: string[] = []
  const pinged: string[] = []
  const { target } = await serving((stream, path) => {
    const operation = path.split('/').at(-1)!
    came.push(operation)
    stream.on('error', () => {})
    stream.session!.on('ping', () => pinged.push(operation))
    if (operation === 'SubscribeToTask') stream.respond({ 'content-type': 'application/grpc' })
  })
  const transport = grpcTransport(target, { ...noLimits, idleMs: 20 })
  const leaving = new AbortController()
  const { signal } = leaving
  const sent = transport.call('SendMessage', { message: hello }, { signal }).catch((error) => error)
  await expect.poll(() => came).toEqual(['SendMessage'])
  await transport.open('SubscribeToTask', { id: 'T' }, { signal })
  await expect.poll(() => pinged.length).toBeGreaterThan(5)
  expect(new Set(pinged)).toEqual(new Set(['SubscribeToTask']))
  leaving.abort()
  expect(await sent).toBe(signal.reason)
})
