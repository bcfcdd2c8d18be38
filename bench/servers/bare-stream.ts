// What Fastify alone can do with a stream: reads the JSON-RPC request and sends the constant frames in `FRAMES`, by its own plugin.
import { fastifySSE } from '@fastify/sse'
import fastify from 'fastify'
import { reportToParent } from './parent.ts'

const frames: string[] = JSON.parse(process.env.FRAMES!)
const app = fastify()
await app.register(fastifySSE)
app.post(
  '/a2a',
  { sse: { kind: 'manual', heartbeat: false, serializer: String } },
  async (_request, reply) => {
    for (const [nth, data] of frames.entries()) await reply.sse.send({ id: `${nth + 1}`, data })
  },
)
reportToParent(`${await app.listen({ host: '127.0.0.1', port: 0 })}/a2a`, () => app.close())
