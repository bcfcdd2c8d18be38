// The operations for 0.3 clients: the same ones, with what goes in and what comes out translated.
import { type Frame, framesOf, type Operations, type Streaming, type Unary } from '../operations/index.ts'
import { A2AError, type StreamResponse, type TaskPushNotificationConfig } from '../protocol/index.ts'
import { card03, protoCard03 } from './card.ts'
import { type Names, withNames } from './errors.ts'
import { namesInName, namesInSet, readConfigName, readSetConfig, writeConfig } from './push-configs.ts'
import { readProtoSend, readSend } from './requests.ts'
import { jsonShape, protoShape, type Shape } from './shape.ts'

/** For JSON-RPC, by the names of 1.0. */
export function createJsonOperations({ unary, streaming }: Operations): Operations {
  const operations = translate({ unary, streaming }, jsonShape, readSend)
  const { SendStreamingMessage, SubscribeToTask } = operations.streaming
  return {
    ...operations,
    streaming: {
      SendStreamingMessage: failingInStream(SendStreamingMessage),
      SubscribeToTask: failingInStream(SubscribeToTask),
    },
  }
}

/** For HTTP+JSON, by the names of 1.0. */
export const createProtoOperations = (operations: Operations): Operations =>
  translate(operations, protoShape, readProtoSend)

type Translate = (value: unknown) => unknown
const same: Translate = (value) => value

function translate({ unary, streaming }: Operations, shape: Shape, readMessage: Translate): Operations {
  // biome-ignore lint/suspicious/noExplicitAny: each operation's own answer, as it stands in JSON
  const answers = (operation: Unary, read: Translate, write: (answer: any) => unknown): Unary =>
    async function translated(params, call) {
      return JSON.stringify(write(JSON.parse(await operation(read(params), call))))
    }
  const streams = (operation: Streaming, read: Translate): Streaming =>
    async function translated(params, call) {
      return (await operation(read(params), call)).map((frame) => translateFrame(frame, shape))
    }
  const config = (one: TaskPushNotificationConfig) => writeConfig(one, shape)
  const configs = ({ configs: all = [] }: { configs?: TaskPushNotificationConfig[] }) =>
    shape.kinds ? all.map(config) : { configs: all.map(config) }
  const getConfig = answers(naming(unary.GetTaskPushNotificationConfig, namesInName), readConfigName, config)
  const firstConfig = answers(
    naming(unary.ListTaskPushNotificationConfigs, namesInName),
    readConfigName,
    ({ configs: [one] = [] }) => {
      if (!one) throw new A2AError('TaskNotFoundError', 'The task has no push notification config.')
      return config(one)
    },
  )

  return {
    unary: {
      SendMessage: answers(unary.SendMessage, readMessage, shape.frame),
      GetTask: answers(unary.GetTask, same, shape.task),
      ListTasks: notIn03,
      CancelTask: answers(unary.CancelTask, same, shape.task),
      CreateTaskPushNotificationConfig: answers(
        naming(unary.CreateTaskPushNotificationConfig, namesInSet),
        readSetConfig,
        config,
      ),
      // The id of the config may be left out.
      GetTaskPushNotificationConfig: (params, call) =>
        'id' in readConfigName(params) ? getConfig(params, call) : firstConfig(params, call),
      ListTaskPushNotificationConfigs: answers(
        naming(unary.ListTaskPushNotificationConfigs, namesInName),
        readConfigName,
        configs,
      ),
      DeleteTaskPushNotificationConfig: answers(
        naming(unary.DeleteTaskPushNotificationConfig, namesInName),
        readConfigName,
        (empty) => (shape.kinds ? null : empty),
      ),
      GetExtendedAgentCard: answers(
        unary.GetExtendedAgentCard,
        () => ({}),
        shape.kinds ? card03 : protoCard03,
      ),
    },
    streaming: {
      SendStreamingMessage: streams(streaming.SendStreamingMessage, readMessage),
      SubscribeToTask: streams(streaming.SubscribeToTask, same),
    },
  }
}

/** `operation`, whose errors name fields as the client sent them. */
const naming =
  (operation: Unary, names: Names): Unary =>
  async (params, call) => {
    try {
      return await operation(params, call)
    } catch (error) {
      throw error instanceof A2AError ? withNames(error, names) : error
    }
  }

const notIn03: Unary = async () => {
  throw new A2AError('MethodNotFoundError', 'Version 0.3 has no way to list tasks.')
}

const translateFrame = ({ data, last, ...frame }: Frame, shape: Shape): Frame => ({
  ...frame,
  data: JSON.stringify(shape.frame(JSON.parse(data) as StreamResponse, last)),
})

/** Clients of 0.3 take nothing but a stream for an answer: an error that is not in one never gets to who called. */
const failingInStream =
  (operation: Streaming): Streaming =>
  async (params, call) => {
    try {
      return await operation(params, call)
    } catch (error) {
      const frames = framesOf([])
      frames.fail(error as Error)
      return frames
    }
  }
