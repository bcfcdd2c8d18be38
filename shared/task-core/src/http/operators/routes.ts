// Where operators read and decide what tasks wait for: plain HTTP, outside the protocol (§7.6.1).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OperationContext } from '../../operations/index.ts'
import type { PermitsHost } from '../hosts.ts'
import { readDecision, readDigest, readForms } from './body.ts'
import type { OperatorContext } from './context.ts'
import { otherRequest } from './find.ts'
import { html } from './html.ts'
import { createIdentify } from './identity.ts'
import { listWaiting } from './list.ts'
import { listPage } from './list-page.ts'
import type { OperatorOptions } from './options.ts'
import { holdOwnActs } from './own-act.ts'
import { answer, page, requestAt, rootFrom, wantsHtml } from './page.ts'
import { answerRefusal } from './refusal.ts'
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
  app.setErrorHandler((error, request: TaskRequest, reply) => answerRefusal(own, error, request, reply))
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
    const { taskId } = request.params
    const digest = readDigest(request)
    const shown = await showRequest(own, taskId, digest)
    const other = digest === undefined ? otherRequest(own, taskId, shown.digest) : undefined
    return answer(request, reply, shown, () =>
      requestPage(shown, rootFrom(request), context.core.world.now(), other),
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
      if (!wantsHtml(request)) return reply.send({ taskId, ...decision })
      // By its digest, since the task may ask for something else by now.
      return leadToRequest(request, reply, 'digest' in decision ? decision.digest : undefined)
    })
  }
  for (const path of ['/deny', '/revoke']) {
    app.get(`${path}/:taskId`, async (request: TaskRequest, reply) =>
      leadToRequest(request, reply, readDigest(request)),
    )
  }
}

/** Leads a browser to the page that says how a request stands: to load that again decides nothing again. */
function leadToRequest(request: TaskRequest, reply: FastifyReply, digest: string | undefined): FastifyReply {
  const at = requestAt(rootFrom(request), request.params.taskId, digest)
  reply.code(303).header('location', at)
  return answer(request, reply, { request: at }, () =>
    page('The request', html`<p><a href="${at}">The request as it stands</a></p>`),
  )
}
