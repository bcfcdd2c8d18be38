// What Fastify's own SSE can do for subscribers: each gets the frame `FIRST` when it comes, and at POST /event all get the frame `NEXT`.
import { fastifySSE } from '@fastify/sse'
import fastify, { type FastifyReply } from 'fastify'
import { holdings } from './holdings.ts'
import { reportToParent } from './parent.ts'

const { FIRST: first, NEXT: next } = process.env
const subscribers = new Set<FastifyReply>()
const app = fastify()
await app.register(fastifySSE, { serializer: String }) // what it sends is text already

app.post('/a2a', { sse: 'manual' }, async (_request, reply) => {
  reply.sse.keepAlive()
  await reply.sse.send({ id: '3', data: first })
  subscribers.add(reply)
  reply.sse.onClose(() => subscribers.delete(reply))
})
app.post('/event', async () => {
  for (const { sse } of subscribers) void sse.send({ id: '4', data: next })
  return 'sent'
})

const url = await app.listen({ host: '127.0.0.1', port: 0 })
reportToParent(`${url}/a2a`, () => app.close(), holdings)
