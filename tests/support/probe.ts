// Starts an agent for a test, in this process, on free ports and a database of its own; and talks to it over every binding.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformance } from '@a2a-kit/conformance'
import { type Agent, type AgentOptions, type RunningAgent, startAgent } from '@a2a-kit/task-core'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { grpcCall, grpcStream } from './grpc.ts'
import { type Frame, readFrames } from './sse.ts'

export type JsonBinding = 'JSONRPC' | 'HTTP+JSON'
export type Binding = JsonBinding | 'GRPC'
export const jsonBindings: JsonBinding[] = ['JSONRPC', 'HTTP+JSON']
export const bindings: Binding[] = [...jsonBindings, 'GRPC']

/** What an operation answered: `result`, or the error with its code, reason and status, whatever the binding. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  result?: any
  error?: { code: number; reason: string; message: string; fields: string[] }
  /** Of HTTP; over gRPC its own, which is 0 for an answer without error. */
  status: number
  contentType: string
}

export interface Probe extends RunningAgent {
  dataDir: string
  /** Calls an operation over `binding`. */
  call(binding: Binding, operation: string, params: object, headers?: Record<string, string>): Promise<Answer>
  /** Opens a streaming operation: its frames, and `close` to leave. Rejects if the answer is not a stream. */
  stream(
    binding: Binding,
    operation: 'SendStreamingMessage' | 'SubscribeToTask',
    params: object,
    headers?: Record<string, string>,
  ): Promise<{ frames: AsyncGenerator<Frame>; close(): void }>
}

/** Where to leave the work of cleaning up. */
export type OnEnd = (clean: () => Promise<void>) => void

/** A temporary folder that is gone when the test is over. */
export async function temporaryFolder(onEnd: OnEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Starts `agent`, the conformance agent by default; closed when the test is over. Give `dataDir` to start on older data. */
export async function startProbe(options: Partial<AgentOptions> & { agent?: Agent } = {}): Promise<Probe> {
  const { agent = conformance, dataDir = await temporaryFolder(), ...rest } = options
  const running = await startAgent(agent, { dataDir, log: pino({ level: 'silent' }), grpcPort: 0, ...rest })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= running.close()
    return closing
  }
  onTestFinished(close)
  return { ...running, ...talkTo(`${running.url}/a2a`, running.grpcPort), dataDir, close }
}

/** Calls by operation name over any binding, to the agent at `base` (which ends in `/a2a`) and `grpcPort`. */
export function talkTo(base: string, grpcPort?: number): Pick<Probe, 'call' | 'stream'> {
  const target = `localhost:${grpcPort}`
  const request = (
    binding: JsonBinding,
    operation: string,
    params: object,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ) => {
    const { method, path, body } =
      binding === 'JSONRPC' ? jsonRpc(operation, params) : httpJson(operation, params)
    return fetch(base + path, {
      method,
      headers: {
        'A2A-Version': '1.0',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
  }
  return {
    async call(binding, operation, params, headers) {
      if (binding === 'GRPC') return grpcCall(target, operation, params, headers)
      return readAnswer(await request(binding, operation, params, headers))
    },
    async stream(binding, operation, params, headers) {
      if (binding === 'GRPC') return grpcStream(target, operation, params, headers)
      const leaving = new AbortController()
      const response = await request(binding, operation, params, headers, leaving.signal)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw Object.assign(new Error(`not a stream: ${response.status}`), {
          answer: await readAnswer(response),
        })
      }
      return { frames: readFrames(response.body!, binding), close: () => leaving.abort() }
    },
  }
}

const jsonRpc = (method: string, params: object) => ({
  method: 'POST',
  path: '',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

function httpJson(operation: string, params: object): { method: string; path: string; body?: string } {
  const { id = '', ...rest } = params as { id?: string }
  const { taskId = '', ...ofTask } = params as { taskId?: string }
  const query = (given: object = rest) => {
    const pairs = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)])
    const text = new URLSearchParams(pairs).toString()
    return text && `?${text}`
  }
  const task = `/tasks/${encodeURIComponent(id)}`
  const configs = `/tasks/${encodeURIComponent(taskId)}/pushNotificationConfigs`
  const config = `${configs}/${encodeURIComponent(id)}`
  switch (operation) {
    case 'SendMessage':
      return { method: 'POST', path: '/message:send', body: JSON.stringify(params) }
    case 'SendStreamingMessage':
      return { method: 'POST', path: '/message:stream', body: JSON.stringify(params) }
    case 'GetTask':
      return { method: 'GET', path: task + query() }
    case 'ListTasks':
      return { method: 'GET', path: `/tasks${query()}` }
    case 'CancelTask':
      return { method: 'POST', path: `${task}:cancel`, body: JSON.stringify(rest) }
    case 'GetExtendedAgentCard':
      return { method: 'GET', path: '/extendedAgentCard' }
    case 'SubscribeToTask':
      return { method: 'POST', path: `${task}:subscribe`, body: '' }
    case 'CreateTaskPushNotificationConfig':
      return { method: 'POST', path: configs, body: JSON.stringify(ofTask) }
    case 'ListTaskPushNotificationConfigs':
      return { method: 'GET', path: configs + query(ofTask) }
    case 'GetTaskPushNotificationConfig':
      return { method: 'GET', path: config }
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: config }
    default:
      throw new Error(`No HTTP+JSON route is known for ${operation}.`)
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const contentType = response.headers.get('content-type') ?? ''
  const body = JSON.parse(await response.text())
  const failed = body.error
  if (!failed) return { result: body.jsonrpc ? body.result : body, status: response.status, contentType }
  const details = failed.data ?? failed.details ?? []
  return {
    error: {
      code: failed.code,
      message: failed.message,
      reason: details[0]?.reason,
      fields: (details[1]?.fieldViolations ?? []).map(({ field }: { field: string }) => field),
    },
    status: response.status,
    contentType,
  }
}

let made = 0
/** A client's message with a fresh id. */
export const userMessage = (text: string, more: object = {}) => ({
  messageId: `message-${process.pid}-${++made}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
})
