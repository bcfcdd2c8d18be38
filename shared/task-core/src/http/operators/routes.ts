// Where operators read and decide what tasks wait for: plain HTTP, outside the protocol (§7.6.1).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OperationContext } from '../../operations/index.ts'
import type { PermitsHost } from '../hosts.ts'
import { readDecision, readDigest, readForms } from './body.ts'
import type { OperatorContext } from './context.ts'
import { decidedPage } from './decided-page.ts'
import { answerRefusal } from './errors.ts'
import { createIdentify } from './identity.ts'
import { listWaiting } from './list.ts'
import { listPage } from './list-page.ts'
import type { OperatorOptions } from './options.ts'
import { holdOwnActs } from './own-act.ts'
import { answer, rootFrom } from './page.ts'
import { requestPage } from './request-page.ts'
import { createRequesters } from './requester.ts'
import { showRequest } from './shown.ts'

interface Options {
  context: OperationContext
  operators: OperatorOptions
  permitsHost: PermitsHost
  publicUrl: () => string
}

type TaskRequest = FastifyRequest<{ Params: { taskId: string } }>

/** Reading needs a token as deciding does: what is asked may be nobody else's business. */
export async function operatorRoutes(
  app: FastifyInstance,
  { context, operators, permitsHost, publicUrl }: Options,
): Promise<void> {
  const identify = createIdentify(context.card.name, operators.tokens, context.core.settings.trustProxy)
  const requesters = createRequesters(operators.callerCards)
  const own: OperatorContext = { ...context, identify, requesters, publicUrl }
  app.setErrorHandler(answerRefusal)
  readForms(app)
  holdOwnActs(app, permitsHost, publicUrl)
  const names = new WeakMap<FastifyRequest, string>()
  app.addHook('onRequest', async (request) => void names.set(request, await identify(request)))

  app.get('/approve', async (request, reply) => {
    const waiting = await listWaiting(own, request)
    return answer(request, reply, waiting, () =>
      listPage(waiting, rootFrom(request), context.core.world.now()),
    )
  })

  app.get('/approve/:taskId', async (request: TaskRequest, reply) => {
    const shown = await showRequest(own, request.params.taskId, readDigest(request))
    return answer(request, reply, shown, () =>
      requestPage(shown, rootFrom(request), context.core.world.now()),
    )
  })

  const { engine } = context
  for (const [path, outcome] of [
    ['/approve', 'approved'],
    ['/deny', 'denied'],
    ['/revoke', 'revoked'],
  ] as const) {
    app.post(`${path}/:taskId`, async (request: TaskRequest, reply) => {
      const { taskId } = request.params
      const asked = { taskId, by: names.get(request)!, ...readDecision(request) }
      const decision =
        outcome === 'revoked' ? await engine.revoke(asked) : await engine.decide({ ...asked, outcome })
      request.log.info({ taskId, decision }, 'An operator decided.')
      return answer(request, reply, { taskId, ...decision }, () =>
        decidedPage({ taskId, ...decision }, rootFrom(request)),
      )
    })
  }
}
