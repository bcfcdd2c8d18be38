// What Fastify alone can do: reads the JSON-RPC request and answers with the constant text in `REPLY`.
import fastify from 'fastify'
import { reportToParent } from './parent.ts'

const text = process.env.REPLY!
const app = fastify()
app.post('/a2a', async (_request, reply) => reply.header('content-type', 'application/json').send(text))
reportToParent(`${await app.listen({ host: '127.0.0.1', port: 0 })}/a2a`, () => app.close())
