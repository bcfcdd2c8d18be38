// Servers of HTTP/2 that speak no gRPC, or only half of it, are told apart from agents that refuse.
import { createServer, type OutgoingHttpHeaders, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { grpcTransport } from './grpc.ts'

const noLimits = { replyMs: 0, blockingMs: 0, idleMs: 0 }

/** A server of HTTP/2 that answers every request with `headers` alone. */
async function answering(headers: OutgoingHttpHeaders) {
  const server = createServer().on('stream', (stream) => stream.respond(headers, { endStream: true }))
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

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
