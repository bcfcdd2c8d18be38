import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../shared/client/src/testing/certificate.ts'
import { whenHealthy } from './answering.ts'
import { freePort } from './ports.ts'

const never = new Promise<number>(() => {})

/** Waits for the deployer at `url`; `lines` is what was said meanwhile. */
function waitFor(url: string, { ended = never, patience = 0 } = {}) {
  const lines: string[] = []
  const healthy = whenHealthy({
    name: 'deployer',
    url,
    ended,
    patience,
    say: (line) => void lines.push(line.replace(`deployer does not answer at ${url} yet: `, '')),
  })
  healthy.catch(() => {})
  return { healthy, lines }
}

test('why an agent does not answer is said once, and once more when that changes', async () => {
  let body = '{"agent":"planner"}'
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end(body)
  })
  onTestFinished(() => void server.close())
  const port = await freePort()
  const { healthy, lines } = waitFor(`http://localhost:${port}`)
  await expect.poll(() => lines).toEqual(['nothing listens there.'])
  server.listen(port)
  await expect.poll(() => asked).toBeGreaterThan(2)
  expect(lines.slice(1)).toEqual(['planner answers there.'])
  body = '<p>'
  await expect.poll(() => lines.slice(2)).toEqual(['what answers there is no agent.'])
  body = '{"agent":"deployer"}'
  await healthy
  expect(lines).toHaveLength(3)
})

test('of a certificate that is not trusted it is said what makes it so', async () => {
  const server = createTlsServer({ cert, key }, (_, response) => response.end('{"agent":"deployer"}')).listen(
    0,
  )
  await once(server, 'listening')
  const ended = Promise.withResolvers<number>()
  onTestFinished(() => {
    ended.resolve(0)
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const { healthy, lines } = waitFor(`https://localhost:${port}`, { ended: ended.promise })
  await expect
    .poll(() => lines)
    .toEqual([
      'self-signed certificate. NODE_EXTRA_CA_CERTS must name the file of the certificate that signed it, which may be itself.',
    ])
  ended.resolve(0)
  await expect(healthy).rejects.toThrow('deployer ended with 0 before it answered')
})

test('nothing is said of an agent that has time left', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end('{"agent":"planner"}')
  }).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const ended = Promise.withResolvers<number>()
  const { healthy, lines } = waitFor(url, { ended: ended.promise, patience: 3_600_000 })
  await expect.poll(() => asked).toBeGreaterThan(2)
  ended.resolve(1)
  await expect(healthy).rejects.toThrow(`deployer ended with 1 before it answered at ${url}.`)
  expect(lines).toEqual([])
})
