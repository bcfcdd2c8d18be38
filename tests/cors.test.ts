import { describe, expect, test } from 'vitest'
import { jsonBindings, startProbe, userMessage } from './support/probe.ts'

const page = 'https://ui.example'
const startOpen = () => startProbe({ settings: { corsOrigins: [page] } })
const bindingsOfPages = jsonBindings // no browser speaks gRPC
const expectOpen = ({ headers }: Response) => {
  expect(headers.get('access-control-allow-origin')).toBe(page)
  expect(headers.get('vary')).toMatch(/\bOrigin\b/)
}
const json = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }

describe('CORS-ON-SSE: a page of an allowed origin reads', () => {
  const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const message = () => userMessage('complete')

  test.each(bindingsOfPages)('a subscription over %s', async (binding) => {
    const probe = await startOpen()
    const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('ask what?') })
    const { id } = result.task
    const [path, body] =
      binding === 'JSONRPC' ? ['/a2a', rpc('SubscribeToTask', { id })] : [`/a2a/tasks/${id}:subscribe`, '']
    const headers = { ...json, Origin: page }
    const response = await fetch(probe.url + path, { method: 'POST', headers, body })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expectOpen(response)
    await response.body!.cancel()
  })

  test.each([
    ['an answer', '/a2a', () => rpc('SendMessage', { message: message() })],
    ['a stream', '/a2a', () => rpc('SendStreamingMessage', { message: message() })],
    ['a stream of HTTP+JSON', '/a2a/message:stream', () => JSON.stringify({ message: message() })],
    ['an answer of HTTP+JSON', '/a2a/message:send', () => JSON.stringify({ message: message() })],
    ['an error', '/a2a', () => rpc('SubscribeToTask', { id: 'none' })],
    ['an error of a send', '/a2a', () => rpc('SendMessage', {})],
    ['an error of a stream', '/a2a', () => rpc('SendStreamingMessage', {})],
    ['an error of a stream of HTTP+JSON', '/a2a/message:stream', () => '{}'],
    ['an error of HTTP+JSON', '/a2a/tasks/none:subscribe', () => ''],
    ['an error of HTTP', '/a2a/message:send', () => '{'],
  ])('%s', async (_, path, body) => {
    const probe = await startOpen()
    const headers = { ...json, Origin: page }
    const response = await fetch(probe.url + path, { method: 'POST', headers, body: body() })
    await response.text()
    expectOpen(response)
  })

  test.each(['/.well-known/agent-card.json', '/.well-known/jwks.json', '/openapi.json'])(
    '%s, and a cache keeps what it got for one origin from another',
    async (path) => {
      const { url } = await startOpen()
      for (const origin of [page, 'https://evil.example']) {
        const { headers } = await fetch(url + path, { headers: { Origin: origin } })
        expect(headers.get('access-control-allow-origin')).toBe(origin === page ? page : null)
        expect(headers.get('vary')).toMatch(/\bOrigin\b/)
      }
    },
  )

  test('a page of any other origin, and any page where none is allowed, reads nothing', async () => {
    const other = { ...json, Origin: 'https://evil.example' }
    const [open, closed] = [await startOpen(), await startProbe()]
    for (const url of [open.url, closed.url]) {
      const response = await fetch(`${url}/a2a/tasks`, { headers: other })
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

describe('CORS-PREFLIGHT: a browser may ask beforehand', () => {
  const preflight = (url: string, method: string, origin = page) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'content-type,a2a-version,a2a-extensions,authorization',
      },
    })

  test.each([
    ['POST', '/a2a'],
    ['POST', '/a2a/'],
    ['POST', '/a2a/message:send'],
    ['POST', '/a2a/message:stream'],
    ['POST', '/a2a/tasks/x:subscribe'],
    ['POST', '/a2a/tasks/x:cancel'],
    ['GET', '/a2a/tasks/x'],
    ['DELETE', '/a2a/tasks/x/pushNotificationConfigs/y'],
    ['GET', '/.well-known/agent-card.json'],
  ])('for %s %s', async (method, path) => {
    const { url } = await startOpen()
    const { status, headers } = await preflight(url + path, method)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(page)
    expect(headers.get('access-control-allow-methods')).toContain(method)
    const allowed = headers.get('access-control-allow-headers')!.toLowerCase()
    for (const name of ['content-type', 'a2a-version', 'a2a-extensions', 'authorization', 'traceparent']) {
      expect(allowed).toContain(name)
    }
  })

  test('another origin is not allowed, and /approve is open to none', async () => {
    const { url } = await startOpen()
    const evil = await preflight(`${url}/a2a`, 'POST', 'https://evil.example')
    expect(evil.headers.get('access-control-allow-origin')).toBeNull()
    for (const path of ['/approve/x', '/deny/x']) {
      const response = await preflight(url + path, 'POST')
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      for (const method of ['GET', 'POST']) {
        const { headers } = await fetch(url + path, { method, headers: { Origin: page } })
        expect(headers.get('access-control-allow-origin')).toBeNull()
      }
    }
  })
})
