// The conformance agent's work as an executor of the official SDK: the same events with the same texts, published as fast as it can.
import { type Part, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server'
import { script } from './script.ts'

export const scripted: AgentExecutor = {
  async execute(request, bus) {
    const publish = publisherFor(request, bus)
    const [, name, text, count] = script.exec(textOf(request)) ?? []
    publish.task()
    if (name && text) {
      publish.status(TaskState.TASK_STATE_WORKING)
      publish.artifact(name, text)
    }
    for (let nth = 1; nth <= Number(count ?? 0); nth += 1) {
      publish.artifact('chunks', `chunk-${nth} `, nth > 1)
    }
    publish.status(TaskState.TASK_STATE_COMPLETED)
  },
  async cancelTask() {},
}

function textOf({ userMessage }: RequestContext): string {
  const content = userMessage.parts[0]?.content
  return content?.$case === 'text' ? content.value : ''
}

function publisherFor({ taskId, contextId, userMessage }: RequestContext, bus: ExecutionEventBus) {
  const artifactId = crypto.randomUUID()
  const metadata = undefined
  const statusOf = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() })
  return {
    task() {
      const status = statusOf(TaskState.TASK_STATE_SUBMITTED)
      const history = [userMessage]
      bus.publish(AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history, metadata }))
    },
    status(state: TaskState) {
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state), metadata }))
    },
    artifact(name: string, text: string, append = false) {
      const parts: Part[] = [
        { content: { $case: 'text', value: text }, metadata, filename: '', mediaType: '' },
      ]
      const artifact = { artifactId, name, description: '', parts, metadata, extensions: [] }
      bus.publish(
        AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk: !append, metadata }),
      )
    },
  }
}
