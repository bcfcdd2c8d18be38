// TLS: every door of an agent that has a certificate speaks it, its card says so, and a proxy before an agent without one may do it instead.
import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { request as plainRequest } from 'node:http'
import { createServer, request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { readConfiguration } from '@a2a-kit/task-core'
import type { AgentCard } from '@a2a-kit/task-core/protocol'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { freePort } from '../scripts/ports.ts'
import { cert, key } from '../shared/client/src/testing/certificate.ts'
import { asking } from './support/asking-agent.ts'
import { spawnAgent } from './support/child.ts'
import { blocksOf, run as runInShell, withOthers } from './support/page.ts'
import { startProbe, temporaryFolder } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const shared = shareProbe({ tls: { cert, key } })
const run = promisify(execFile)
let certFile = ''
let keyFile = ''
beforeAll(async () => {
  const cleaning: (() => Promise<void>)[] = []
  const folder = await temporaryFolder((clean) => void cleaning.push(clean))
  ;[certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)])
  return () => cleaning[0]!()
})

interface Got {
  status: number
  text: string
  /** Where it leads. */
  location: string | undefined
}

/** Over TLS, trusting the certificate of the tests, or `ca`, and no other. */
const get = (url: string, headers: Record<string, string> = {}, method = 'GET', body = '', ca = cert) =>
  new Promise<Got>((resolve, reject) => {
    const call = request(url, { ca, headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (some) => {
        text += some
      })
      response.on('end', () =>
        resolve({ status: response.statusCode!, text, location: response.headers.location }),
      )
    })
    call.on('error', reject).end(body)
  })

/** Runs a program of the tests' or of the kit's in a process of its own. */
const node = (file: string, args: string[], env: NodeJS.ProcessEnv) =>
  run(process.execPath, ['scripts/run.mjs', file, ...args], { cwd: root, env: { ...process.env, ...env } })

test('the card gives https addresses, and the agent answers at them alone', async () => {
  const { url, port, grpcPort } = shared.probe
  expect(url).toBe(`https://localhost:${port}`)
  const card = JSON.parse(
    (await get(`${url}/.well-known/agent-card.json`, { 'A2A-Version': '1.0' })).text,
  ) as AgentCard
  const at = (binding: string) =>
    card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === binding)!.url
  expect([at('JSONRPC'), at('HTTP+JSON'), at('GRPC')]).toEqual([
    `${url}/a2a`,
    `${url}/a2a`,
    `https://localhost:${grpcPort}`,
  ])
  expect((await get(`${url}/health`)).status).toBe(200)
  const plain = new Promise((resolve, reject) => {
    plainRequest(`http://localhost:${port}/health`, resolve).on('error', reject).end()
  })
  await expect(plain).rejects.toThrow()
})

test('the kit’s client speaks every binding over TLS, trusting what NODE_EXTRA_CA_CERTS names', async () => {
  const { stdout } = await node('tests/support/tls-client.ts', [shared.probe.url], {
    NODE_EXTRA_CA_CERTS: certFile,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: undefined, // it would be all that gRPC trusts
  })
  const done = 'TASK_STATE_COMPLETED'
  expect(JSON.parse(stdout)).toEqual({ JSONRPC: done, 'HTTP+JSON': done, GRPC: done })
})

test('a request that names no host is answered over TLS as it is without', async () => {
  const socket = connect({ port: shared.probe.port, host: 'localhost', ca: cert })
  socket.write('GET /a2a/tasks HTTP/1.1\r\nConnection: close\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s)
})

test('an operator reads and decides over TLS', async () => {
  const probe = await startProbe({ agent: asking, tls: { cert, key }, grpcPort: undefined })
  const message = { messageId: 'one', role: 'ROLE_USER', parts: [{ data: {} }] }
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const sent = await get(`${probe.url}/a2a/message:send`, headers, 'POST', JSON.stringify({ message }))
  const { id } = JSON.parse(sent.text).task
  const page = await get(`${probe.url}/approve/${id}`, { Accept: 'text/html' })
  expect(page.text).toContain('asks for your approval')
  const own = { Origin: probe.url, 'Sec-Fetch-Site': 'same-origin' }
  expect(await get(`${probe.url}/approve/${id}`, own, 'POST')).toMatchObject({ status: 200 })
})

test('a process reads certificate and key from the files that docs/operating.md makes, and the health check of a container finds it', async () => {
  const port = await freePort()
  const folder = `${await temporaryFolder()}/`
  const [, , block] = blocksOf('docs/operating.md', 'sh').map((one) => withOthers(one, { '/tmp/': folder }))
  const [make, start] = block!.text.trim().split('\n')
  await runInShell(make!).ended
  const [, variables] = /^(.*) npm start$/.exec(start!)!
  const { NODE_EXTRA_CA_CERTS: trusted, ...files } = Object.fromEntries(
    variables!.split(' ').map((one) => one.split('=')),
  )
  const env = { ...files, GRPC_PORT: 'off' }
  const health = () =>
    new Promise((resolve) => {
      spawn(process.execPath, ['scripts/health.mjs'], { cwd: root, env: { ...env, PORT: `${port}` } }).once(
        'exit',
        resolve,
      )
    })
  expect(await health()).toBe(1)
  const { log } = spawnAgent(port, { env, dataDir: await temporaryFolder() })
  await expect.poll(log, { timeout: 20_000 }).toContain(`https://127.0.0.1:${port}`)
  expect(await health()).toBe(0)
  const made = await readFile(trusted, 'utf8')
  expect((await get(`https://localhost:${port}/health`, {}, 'GET', '', made)).status).toBe(200)
})

test('a container’s health check finds an agent without TLS too', async () => {
  const { port } = await startProbe()
  const env = { PORT: `${port}` }
  await run(process.execPath, ['scripts/health.mjs'], { cwd: root, env })
})

const read = (env: NodeJS.ProcessEnv) => readConfiguration(env, { port: 1 }).tls

test('the certificate and its key are read, or there are neither', () => {
  expect(read({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile })).toEqual({ cert, key })
  expect(read({})).toBeUndefined()
})

test('what is wrong with the files is said, by the variable, and nothing of the key', () => {
  const other = `${keyFile}.other`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const encrypted = `${keyFile}.encrypted`
  writeFileSync(
    encrypted,
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
  )
  for (const [cert, key, why] of [
    [certFile, undefined, 'TLS_CERT_FILE is set and TLS_KEY_FILE is not: TLS needs both.'],
    [undefined, keyFile, 'TLS_KEY_FILE is set and TLS_CERT_FILE is not: TLS needs both.'],
    ['/none.pem', keyFile, 'TLS_CERT_FILE cannot be read: ENOENT'],
    [certFile, '/none.pem', 'TLS_KEY_FILE cannot be read: ENOENT'],
    [keyFile, keyFile, 'TLS_CERT_FILE must hold the certificate'],
    [certFile, certFile, 'TLS_KEY_FILE must hold a private key'],
    [certFile, encrypted, 'TLS_KEY_FILE must hold a private key in PEM, without a passphrase'],
    [certFile, other, 'The key in TLS_KEY_FILE is not that of the first certificate in TLS_CERT_FILE'],
  ] as const) {
    expect(() => read({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key })).toThrow(why)
  }
})

test('behind a proxy that speaks TLS, an operator decides, and a stream comes frame by frame', async () => {
  const port = await freePort()
  const publicUrl = `https://localhost:${port}/agents/deployer`
  const agent = await startProbe({ agent: asking, publicUrl, grpcPort: undefined })
  const proxy = createServer({ cert, key }, (incoming, outgoing) => {
    const path = incoming.url!.replace(/^\/agents\/deployer/, '')
    const headers = { ...incoming.headers, host: `127.0.0.1:${agent.port}` }
    const on = plainRequest({ port: agent.port, path, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(on)
  }).listen(port)
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const message = { messageId: 'one', role: 'ROLE_USER', parts: [{ data: {} }] }
  const frames = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
    const call = request(`${publicUrl}/a2a/message:stream`, { ca: cert, method: 'POST', headers }, resolve)
    call.on('error', reject).end(JSON.stringify({ message }))
  })
  let text = ''
  let isApproved = false
  for await (const chunk of frames) {
    text += chunk
    const link = /"approveUrl":"([^"]+)"/.exec(text)?.[1]
    if (!link || isApproved) continue
    // The stream is open and has said this: it would wait for ever if the proxy held it back.
    isApproved = true
    expect(link).toMatch(`${publicUrl}/approve/`)
    const own = { Origin: `https://localhost:${port}`, 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' }
    expect((await get(link, own)).text).toContain('asks for your approval')
    const { location } = await get(link, own, 'POST')
    expect((await get(new URL(location!, link).href, own)).text).toContain('It was approved by')
  }
  expect(text).toContain('TASK_STATE_COMPLETED')
})
