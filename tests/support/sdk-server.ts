// An agent made with the official SDK's server parts; a test scripts its turns, in the protocol's JSON.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Message,
  AgentCard as SdkCard,
  Task as SdkTask,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc'
import type { Artifact } from '@a2a-kit/task-core/protocol'
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import express from 'express'
import { onTestFinished } from 'vitest'
import type { SdkBinding } from './sdk-client.ts'

/** One turn: what a message says, and what can be published about its task. The task itself goes out first. */
export interface Turn {
  taskId: string
  text: string
  /** False in the turn that began the task. */
  again: boolean
  status(state: string, text?: string): void
  artifact(artifact: Artifact, chunk?: { append?: boolean; lastChunk?: boolean }): void
  /** Answers with a message and no task. */
  message(text: string): void
  /** Resolves with true after `POST /approve/<task id>`, and with false once the task is canceled. */
  approved(): Promise<boolean>
}

export type Script = (turn: Turn) => Promise<void> | void

export interface SdkServerOptions {
  binding: SdkBinding
  name?: string
  /** Lets the SDK forget a task's streams when it begins to wait, as it does at its restart. */
  forgets?: boolean
  /** Called before the SDK's store takes each state of a task: a database of a test's own speed. */
  saving?: () => Promise<void>
}

/** Serves `script` over `binding`; stopped when the test is over. */
export async function startSdkServer(
  script: Script,
  { binding, name = 'other', forgets, saving }: SdkServerOptions,
) {
  const approvals = new Map<string, PromiseWithResolvers<boolean>>()
  const approval = (taskId: string) => {
    if (!approvals.has(taskId)) approvals.set(taskId, Promise.withResolvers())
    return approvals.get(taskId)!
  }
  const contexts = new Map<string, string>()
  const heard: string[] = []
  const executor: AgentExecutor = {
    async execute(request, bus) {
      const turn = turnOf(request, bus, () => approval(request.taskId).promise)
      heard.push(turn.text)
      contexts.set(request.taskId, request.contextId)
      await script(turn)
    },
    async cancelTask(taskId, bus) {
      const status = { state: 'TASK_STATE_CANCELED', message: said('Stopped.'), timestamp: now() }
      const contextId = contexts.get(taskId)
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })))
      approval(taskId).resolve(false)
    },
  }
  const store = new InMemoryTaskStore()
  const save = store.save.bind(store)
  store.save = async (...given) => {
    await saving?.()
    return save(...given)
  }

  const app = express()
  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  onTestFinished(async () => {
    grpc.forceShutdown()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const grpc = new GrpcServer()
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const served = {
    JSONRPC: async () => `${url}/jsonrpc`,
    'HTTP+JSON': async () => `${url}/rest`,
    GRPC: async () => `localhost:${await bound(grpc)}`,
  }
  const card = SdkCard.fromJSON({
    name,
    description: 'Made with the official SDK.',
    version: '1.0.0',
    supportedInterfaces: [{ url: await served[binding](), protocolBinding: binding, protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'test', name: 'Test', description: 'For a test.', tags: ['testing'] }],
  })
  const none = undefined
  const options = forgets ? { keepBusAliveStates: [] } : {}
  const requestHandler = new DefaultRequestHandler(
    card,
    store,
    executor,
    none,
    none,
    none,
    none,
    none,
    options,
  )
  let subscriptions = 0
  const { resubscribe } = requestHandler
  requestHandler.resubscribe = (...given) => {
    subscriptions += 1
    return resubscribe.apply(requestHandler, given)
  }
  const bindingOptions = { requestHandler, userBuilder: UserBuilder.noAuthentication }
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/jsonrpc', jsonRpcHandler(bindingOptions))
  app.use('/rest', restHandler(bindingOptions))
  grpc.addService(A2AService, grpcService(bindingOptions))
  app.post('/approve/:id', ({ params }, response) => {
    approval(params.id!).resolve(true)
    response.json({})
  })

  return {
    url,
    /** The texts of the messages, in order. */
    heard,
    /** How often a stream of a task was asked for again. */
    subscribed: () => subscriptions,
    approve: (taskId: string) => fetch(`${url}/approve/${taskId}`, { method: 'POST' }),
  }
}

/** The port that it listens on. */
const bound = (grpc: GrpcServer): Promise<number> =>
  new Promise((resolve, reject) => {
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    )
  })

const now = () => new Date().toISOString()
const said = (text: string) => ({ messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] })

function turnOf(request: RequestContext, bus: ExecutionEventBus, approved: Turn['approved']): Turn {
  const { taskId, contextId, task, userMessage } = request
  let begun = false
  const begin = () => {
    if (begun) return
    begun = true
    const status = { state: 'TASK_STATE_SUBMITTED', timestamp: now() }
    const made = () =>
      SdkTask.fromJSON({ id: taskId, contextId, status, history: [Message.toJSON(userMessage)] })
    bus.publish(AgentEvent.task(task ?? made()))
  }
  return {
    taskId,
    again: task !== undefined,
    text: userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(''),
    status(state, text) {
      begin()
      const message = text === undefined ? {} : { message: { ...said(text), taskId, contextId } }
      const status = { state: `TASK_STATE_${state}`, ...message, timestamp: now() }
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })))
    },
    artifact(artifact, chunk = {}) {
      begin()
      const event = { taskId, contextId, artifact, ...chunk }
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(event)))
    },
    message: (text) => bus.publish(AgentEvent.message(Message.fromJSON({ ...said(text), contextId }))),
    approved,
  }
}
