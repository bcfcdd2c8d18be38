// The HTTP+JSON binding (§11): a route for each operation, in 1.0 and in 0.3.
import type { FastifyInstance } from 'fastify'
import { createProtoOperations } from '../v03/index.ts'
import { routerPath, routes } from './http-json-routes.ts'
import type { BindingOptions } from './jsonrpc.ts'
import { type Operate, routing } from './routes.ts'

export function httpJsonRoutes(app: FastifyInstance, options: BindingOptions): void {
  const operations: Record<string, Operate> = { ...options.operations.unary, ...options.operations.streaming }
  const route = routing(app, options, '1.0')
  for (const { path, verbs, cacheControl } of routes) {
    const handlers = Object.entries(verbs).map(([method, name]) => [method, operations[name]!])
    route(routerPath(path), Object.fromEntries(handlers), cacheControl)
  }
}

/** The routes of 0.3 (§3.5.6 of 0.3). */
export function httpJson03Routes(app: FastifyInstance, options: BindingOptions): void {
  const { unary, streaming } = createProtoOperations(options.operations)
  const route = routing(app, options, '0.3')
  const task = '/tasks/:id(^[^:]+)'

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
