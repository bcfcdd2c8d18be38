// Starts, uses and closes agents with all that can be switched on, tells its parent what is left of them, and is then to end by itself.
import { readdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfiguration, realWorld, startAgent } from '@a2a-kit/task-core'
import { grpcMethods, toWire } from '@a2a-kit/task-core/grpc-schema'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { SignJWT } from 'jose'
import { pino } from 'pino'
import { conformance } from '../../agents/conformance/src/agent.ts'

const folder = process.argv[2]!
const times = 3
/** How long something may hold an agent that has closed, in ms: less than a limit of a minute does. */
const patience = 10_000
const secret = 'a-secret-that-signs-jwts-0123456789'
const same = (bytes: Buffer) => bytes
const message = (text: string) => ({ messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] })

/** Takes spans, and no push notification, so that the next try is waited for. */
const outside = createServer((request, response) => {
  request.resume()
  response.writeHead(request.url === '/hook' ? 500 : 200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await new Promise((resolve) => outside.once('listening', resolve))
const elsewhere = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`

const token = await new SignJWT({ sub: 'alice', iss: 'https://issuer.example', aud: 'agents' })
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(secret))

const environment = {
  ...{ HOST: '127.0.0.1', GRPC_PORT: '0', PUSH_ALLOWED_HOSTS: '127.0.0.1' },
  ...{ CALLER_TOKENS: 'bob:token-of-bob-0123456789', OPERATOR_TOKENS: 'olga:token-of-olga-0123456789' },
  ...{ METRICS_TOKEN: 'metrics-token-0123456789', OTEL_EXPORTER_OTLP_ENDPOINT: elsewhere },
}
const callerJwts = {
  issuer: 'https://issuer.example',
  audience: 'agents',
  secret: new TextEncoder().encode(secret),
}

/** @throws Error when the answer has another status: then what is to be left behind was never begun */
async function ask(url: string, authorization: string, body?: object, status = 200): Promise<Response> {
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json', authorization }
  const answer = await fetch(
    url,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) await answer.text()
  return answer
}

async function askOverGrpc(port: number): Promise<void> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  const metadata = new Metadata()
  metadata.set('a2a-version', '1.0')
  metadata.set('authorization', `Bearer ${token}`)
  const { path, request } = grpcMethods.get('SendMessage')!
  const bytes = toWire(request, { message: message('complete') })
  await new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, bytes, metadata, (error) => (error ? reject(error) : resolve()))
  })
  client.close()
}

/** @returns what each part of the agent holds, and what therefore goes only when all of them do */
async function useOne(nth: number): Promise<WeakRef<object>> {
  const now = () => Date.now()
  const configuration = readConfiguration({ ...environment, DATA_DIR: join(folder, `${nth}`) }, { port: 0 })
  const agent = await startAgent(conformance, {
    ...configuration,
    callerJwts,
    world: { ...realWorld, now },
    log: pino({ level: 'silent' }),
  })
  const a2a = `${agent.url}/a2a`
  const bearer = `Bearer ${token}`
  const configured = { configuration: { taskPushNotificationConfig: { url: `${elsewhere}/hook` } } }
  await ask(`${a2a}/message:send`, bearer, { message: message('complete'), ...configured })
  await ask(`${a2a}/message:send`, 'Bearer nobodys-token-0123456789', { message: message('complete') }, 401)
  await ask(`${agent.url}/approve`, 'Bearer nobodys-token-0123456789', undefined, 401)
  await ask(`${agent.url}/approve`, 'Bearer token-of-olga-0123456789')
  await ask(`${agent.url}/metrics`, 'Bearer metrics-token-0123456789')
  await askOverGrpc(agent.grpcPort!)
  for (const text of ['authorize', 'ask', 'working; hang']) {
    const stream = await ask(`${a2a}/message:stream`, bearer, { message: message(text) })
    const reader = stream.body!.getReader()
    await reader.read()
    if (text === 'authorize') await reader.cancel()
    else reader.read().then(() => reader.cancel()) // until the agent ends it
  }
  await agent.close()
  return new WeakRef(now)
}

/** Files that are open in `folder`, where the system shows them. */
function openFiles(): string[] {
  const all = process.platform === 'linux' ? readdirSync('/proc/self/fd') : []
  return all.flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(folder) ? [file] : []
    } catch {
      return []
    }
  })
}

function heap(): number {
  globalThis.gc!()
  return process.memoryUsage().heapUsed
}

const clocks: WeakRef<object>[] = []
for (let nth = 0; nth < times; nth += 1) clocks.push(await useOne(nth))
outside.close()
outside.closeAllConnections()

const kept = () => clocks.filter((clock) => clock.deref()).length
for (const end = Date.now() + patience; kept() > 0 && Date.now() < end; ) {
  await pause(20) // what was looked at is held until then
  globalThis.gc!()
}
const before = heap()
for (let nth = 0; nth < 50; nth += 1) readConfiguration(environment, { port: 0 })
const left = { kept: kept(), openFiles: openFiles(), ofConfigurations: heap() - before }
console.log(JSON.stringify(left))
