import { createServer as createPlainServer } from 'node:http'
import { createServer, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from './connect.ts'
import { GaveUpError } from './errors.ts'
import { cert, key } from './testing/certificate.ts'
import { hello, quickWorld } from './testing/fixtures.ts'

/** An agent over https whose certificate nobody has signed but itself; `asked` counts the requests that reached it. */
async function untrustedAgent() {
  let asked = 0
  const server = createServer({ cert, key }, (_request, response) => {
    asked += 1
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(card))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `https://localhost:${(server.address() as AddressInfo).port}`
  const spoken = { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
  const card = { name: 'untrusted', supportedInterfaces: [spoken] }
  return { url, card, asked: () => asked }
}

const options = { world: quickWorld(), retry: { attempts: 2 } }

test('an agent whose certificate is not trusted is not talked to, and the error says why [AUTH-SERVER-001]', async () => {
  const { url, asked } = await untrustedAgent()
  const error = await connect(url, options).catch((reason) => reason)
  expect(error).toBeInstanceOf(GaveUpError)
  expect(error.message).toMatch(/self-signed certificate/)
  expect(asked()).toBe(0)
  // It is the trust that is missing: who has the certificate is answered.
  const status = await new Promise((resolve, reject) => {
    get(`${url}/.well-known/agent-card.json`, { ca: cert }, ({ statusCode }) => resolve(statusCode)).on(
      'error',
      reject,
    )
  })
  expect([status, asked()]).toEqual([200, 1])
})

test('nor is it sent a message when a trusted card points there [AUTH-SERVER-001]', async () => {
  const { card, asked } = await untrustedAgent()
  const site = createPlainServer((_request, response) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(card)),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void site.close())
  const client = await connect(`http://127.0.0.1:${(site.address() as AddressInfo).port}`, options)
  await expect(client.sendMessage(hello)).rejects.toThrow(/self-signed certificate/)
  expect(asked()).toBe(0)
})
