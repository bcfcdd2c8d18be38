// The HTTP+JSON binding (§11): a route for each operation, in 1.0 and in 0.3.
import type { FastifyInstance } from 'fastify'
import { createProtoOperations } from '../v03/index.ts'
import type { BindingOptions } from './jsonrpc.ts'
import { routing } from './routes.ts'

/** A task id never has a colon: what follows one is the verb. */
const task = '/tasks/:id(^[^:]+)'
const configs = '/tasks/:taskId(^[^:]+)/pushNotificationConfigs'

export function httpJsonRoutes(app: FastifyInstance, options: BindingOptions): void {
  const { unary, streaming } = options.operations
  const route = routing(app, options, '1.0')

  route('/message::send', { POST: unary.SendMessage })
  route('/message::stream', { POST: streaming.SendStreamingMessage })
  route('/tasks', { GET: unary.ListTasks })
  route(task, { GET: unary.GetTask })
  route(`${task}::cancel`, { POST: unary.CancelTask })
  // §5.3 says POST, the proto GET: both.
  route(`${task}::subscribe`, { POST: streaming.SubscribeToTask, GET: streaming.SubscribeToTask })
  route(configs, {
    POST: unary.CreateTaskPushNotificationConfig,
    GET: unary.ListTaskPushNotificationConfigs,
  })
  route(`${configs}/:id`, {
    GET: unary.GetTaskPushNotificationConfig,
    DELETE: unary.DeleteTaskPushNotificationConfig,
  })
  route('/extendedAgentCard', { GET: unary.GetExtendedAgentCard })
}

/** The routes of 0.3 (§3.5.6 of 0.3). */
export function httpJson03Routes(app: FastifyInstance, options: BindingOptions): void {
  const { unary, streaming } = createProtoOperations(options.operations)
  const route = routing(app, options, '0.3')

  route('/message::send', { POST: unary.SendMessage })
  route('/message::stream', { POST: streaming.SendStreamingMessage })
  route(task, { GET: unary.GetTask })
  route(`${task}::cancel`, { POST: unary.CancelTask })
  // Its table says POST, its proto GET: both.
  route(`${task}::subscribe`, { POST: streaming.SubscribeToTask, GET: streaming.SubscribeToTask })
  route(`${task}/pushNotificationConfigs`, {
    POST: (params, call) => unary.CreateTaskPushNotificationConfig({ ...params, taskId: params.id }, call),
    GET: unary.ListTaskPushNotificationConfigs,
  })
  route(`${task}/pushNotificationConfigs/:pushNotificationConfigId`, {
    GET: unary.GetTaskPushNotificationConfig,
    DELETE: unary.DeleteTaskPushNotificationConfig,
  })
  route('/card', { GET: unary.GetExtendedAgentCard })
}
