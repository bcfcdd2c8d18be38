// SendMessage (§3.1.1) and SendStreamingMessage (§3.1.2).
import { type Accepted, taskNotFound } from '../engine/accept.ts'
import {
  A2AError,
  type AgentCard,
  type Content,
  endsBlockingWait,
  type Message,
  type Part,
  parseRequest,
  partsOf,
  requestSchemas,
  type SendMessageRequest,
} from '../protocol/index.ts'
import type { Settings } from '../settings.ts'
import type { TaskRow } from '../store/index.ts'
import type { Call, OperationContext } from './context.ts'
import { type Frames, framesFrom, framesOf } from './frames.ts'
import type { Left } from './left.ts'
import type { Places } from './limits.ts'
import { noPushNotifications } from './push-configs.ts'
import { checkSize } from './sizes.ts'
import { taskJson } from './view.ts'

export function createSend({ core, engine, card }: OperationContext, places: Places) {
  const { committed } = core.store

  /** Blocking unless `returnImmediately`: returns when the task is terminal or interrupted (§3.2.2). */
  async function sendMessage(params: unknown, call: Call): Promise<string> {
    const request = readSend(params, card, core.settings)
    const direct = await directReply(request)
    if (direct) return `{"message":${JSON.stringify(direct)}}`
    const { returnImmediately, historyLength } = request.configuration ?? {}
    // Before the message is accepted: one that is refused is not stored.
    const release = returnImmediately ? undefined : places(call.caller)
    try {
      const { row } = await accept(request, call)
      const seen = returnImmediately ? row : await settled(row, call.left)
      return `{"task":${taskJson(seen, committed.events, { historyLength })}}`
    } finally {
      release?.()
    }
  }

  /** The stream begins with the task as of the message's acceptance, or is one message. */
  async function sendStreamingMessage(params: unknown, call: Call): Promise<Frames> {
    const request = readSend(params, card, core.settings)
    const direct = await directReply(request)
    if (direct) return framesOf([{ data: `{"message":${JSON.stringify(direct)}}` }])
    const { row, repeated } = await accept(request, call)
    const from = repeated ? committed.tasks.get(row.task)! : row
    const { historyLength } = request.configuration ?? {}
    const task = taskJson(from, committed.events, { historyLength })
    return framesFrom(core, from.task, { n: from.lastEvent, state: from.state, task })
  }

  async function accept(request: SendMessageRequest, { caller, version = '1.0' }: Call): Promise<Accepted> {
    await core.store.together()
    const config = request.configuration?.taskPushNotificationConfig
    const path = 'configuration.taskPushNotificationConfig.'
    return engine.accept(caller.id, { ...request, push: config && { config, version, path } })
  }

  /** The agent's own answer without a task, for a message that would start one. */
  async function directReply({ message }: SendMessageRequest): Promise<Message | undefined> {
    if (message.taskId !== undefined || !core.agent.reply) return undefined
    const content: Content | undefined = await core.agent.reply(message)
    if (content === undefined) return undefined
    return {
      messageId: core.world.id('message'),
      contextId: message.contextId ?? core.world.id('context'),
      role: 'ROLE_AGENT',
      parts: partsOf(content),
    }
  }

  /** The row once its task is terminal or interrupted. */
  async function settled(accepted: TaskRow, left: Left): Promise<TaskRow> {
    const { task, id, lastEvent } = accepted
    // The run may have gone on in the commit that this row is of, and of a repeated message long before.
    let row = core.feed.isLatest(task, lastEvent) ? accepted : committed.tasks.get(task)
    while (row && !endsBlockingWait(row.state)) {
      await untilSettled(task, left)
      if (left.gone) {
        throw new A2AError(
          'UnavailableError',
          'The wait was cut off, and the task goes on. Send the same message again, and it is taken up.',
        )
      }
      row = committed.tasks.get(task)
    }
    if (!row) throw taskNotFound(id)
    return row
  }

  /** Resolves at the next event that ends blocking waits, when the task is purged, and when the client has left. */
  function untilSettled(task: number, left: Left): Promise<void> {
    if (left.gone) return Promise.resolve()
    return new Promise((resolve) => {
      left.waits = core.feed.onSettled(task, resolve)
    })
  }

  return { sendMessage, sendStreamingMessage }
}

/**
 * The request in its normal form.
 * @throws A2AError InvalidParamsError, ContentTypeNotSupportedError, PushNotificationNotSupportedError
 */
function readSend(params: unknown, card: AgentCard, settings: Settings): SendMessageRequest {
  const request = parseRequest(requestSchemas.SendMessage, params)
  checkSize(request, settings)
  for (const [index, part] of request.message.parts.entries()) checkMediaType(part, index, card)
  if (request.configuration?.taskPushNotificationConfig && !card.capabilities.pushNotifications) {
    throw noPushNotifications()
  }
  return request
}

function checkMediaType({ mediaType, text, data }: Part, index: number, card: AgentCard): void {
  const type = mediaType?.replace(/;.*$/s, '').trim().toLowerCase()
  const known =
    type ?? (text !== undefined ? 'text/plain' : data !== undefined ? 'application/json' : undefined)
  const modes = [...card.defaultInputModes, ...card.skills.flatMap(({ inputModes = [] }) => inputModes)]
  if (known === undefined || modes.some((mode) => covers(mode, known))) return
  throw new A2AError(
    'ContentTypeNotSupportedError',
    `message.parts[${index}] is ${known}, and this agent takes ${[...new Set(modes)].join(', ')}.`,
    {
      violations: [{ field: `message.parts[${index}].mediaType`, description: `${known} is not supported` }],
    },
  )
}

const covers = (mode: string, type: string): boolean =>
  mode === type || mode === '*/*' || (mode.endsWith('/*') && type.startsWith(mode.slice(0, -1)))
