// What the agent publishes of itself: the card by version, the keys of its signature, the OpenAPI document (§8.2, §8.6).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Published, type PublishedCards, published } from '../cards/publish.ts'
import { isVersion } from '../operations/index.ts'
import type { AgentCard } from '../protocol/index.ts'
import { openApi } from './openapi.ts'
import { versionsOf } from './service-parameters.ts'

/** How long a card is good without being asked for again, in seconds. */
const maxAge = 60

/** `cards` come once the server knows its address; until then `card` lacks it. */
export function cardRoutes(app: FastifyInstance, card: AgentCard, cards: Promise<PublishedCards>): void {
  app.get('/.well-known/agent-card.json', async (request, reply) => {
    // Besides Origin, where pages of some origins may read it.
    reply.header('vary', [reply.getHeader('vary') ?? [], 'A2A-Version'].flat().join(', '))
    return answer(request, reply, (await cards).byVersion[versionOf(request)])
  })
  let document: Published | undefined
  app.get('/openapi.json', async (request, reply) => {
    const { now } = await cards
    document ??= published(openApi(card), now)
    return answer(request, reply, document)
  })
  app.get('/.well-known/jwks.json', async (request, reply) => answer(request, reply, (await cards).keys))
}

/** Any version that is not served gets the card of no version: it says which ones there are. */
function versionOf(request: FastifyRequest): '1.0' | '0.3' | '' {
  const first = versionsOf(request).find((one) => one.trim() !== '') ?? ''
  return isVersion(first, '1.0') ? '1.0' : isVersion(first, '0.3') ? '0.3' : ''
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, lastModified }: Published,
): unknown {
  reply.headers({ 'cache-control': `public, max-age=${maxAge}`, etag, 'last-modified': lastModified })
  if (isFresh(request, etag, lastModified)) return reply.code(304).send()
  return reply.type('application/json').send(body)
}

/** Whether the client has it already; where it names tags, they alone count (RFC 9110 §13.1). */
function isFresh({ headers }: FastifyRequest, etag: string, lastModified: string): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  }
  return Date.parse(headers['if-modified-since'] ?? '') >= Date.parse(lastModified)
}
