// The operations by the names that the protocol gives them (§5.3): the one list that every binding serves.
import { A2AError } from '../protocol/index.ts'
import { createCardOperation } from './card.ts'
import type { Call, OperationContext } from './context.ts'
import type { Frames } from './frames.ts'
import { countedAs, createPlaces, createRate } from './limits.ts'
import { withinLimits } from './open-calls.ts'
import { createPushConfigOperations, noPushNotifications } from './push-configs.ts'
import { createSend } from './send.ts'
import { createSubscribe } from './subscribe.ts'
import { createTaskOperations } from './tasks.ts'

/** An operation that answers once, with JSON. */
export type Unary = (params: unknown, call: Call) => Promise<string>
/** An operation that answers with a stream. Errors before its first frame reject. */
export type Streaming = (params: unknown, call: Call) => Promise<Frames>

export type Operations = ReturnType<typeof createOperations>

export function createOperations(context: OperationContext) {
  const { settings, world } = context.core
  const places = createPlaces(settings.maxStreamsPerCaller)
  const messages = createRate('messages', settings.maxMessagesPerMinute, 60)
  const send = createSend(context, places)
  const tasks = createTaskOperations(context)
  const pushes = createPushConfigOperations(context)
  const pushing = (operation: Unary): Unary =>
    context.card.capabilities.pushNotifications ? operation : noPush
  /** `operation`, which takes a message. */
  const counted =
    <T>(operation: (params: unknown, call: Call) => Promise<T>) =>
    async (params: unknown, call: Call): Promise<T> => {
      await messages.take(countedAs(call.caller))
      return operation(params, call)
    }
  const unary = {
    SendMessage: counted(send.sendMessage),
    GetTask: tasks.getTask,
    ListTasks: tasks.listTasks,
    CancelTask: tasks.cancelTask,
    CreateTaskPushNotificationConfig: pushing(pushes.create),
    GetTaskPushNotificationConfig: pushing(pushes.get),
    ListTaskPushNotificationConfigs: pushing(pushes.list),
    DeleteTaskPushNotificationConfig: pushing(pushes.remove),
    GetExtendedAgentCard: createCardOperation(context),
  } satisfies Record<string, Unary>
  const streams = (operation: Streaming): Streaming =>
    context.card.capabilities.streaming ? withinLimits(operation, places, world) : noStreams
  const streaming = {
    SendStreamingMessage: streams(counted(send.sendStreamingMessage)),
    SubscribeToTask: streams(createSubscribe(context)),
  } satisfies Record<string, Streaming>
  return { unary, streaming }
}

export {
  type Admit,
  type Admitted,
  createAdmit,
  isVersion,
  type ServiceParameters,
  type Version,
} from './admit.ts'
export { anyone } from './callers.ts'
export { failureOf, logFailure, logRefusal } from './failure.ts'
export { observed } from './observed.ts'

const noPush: Unary = async () => {
  throw noPushNotifications()
}

const noStreams: Streaming = async () => {
  const why = 'This agent does not stream: send with SendMessage and ask with GetTask.'
  throw new A2AError('UnsupportedOperationError', why)
}

export type { Call, Caller, OperationContext } from './context.ts'
export { type Frame, FrameReader, Frames, framesOf } from './frames.ts'
export type { JwtTrust } from './jwts.ts'
export { Left } from './left.ts'
export { createNetworkOf } from './networks.ts'
export { type CallerTokens, createHolderOf } from './tokens.ts'
