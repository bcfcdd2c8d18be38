// Lets pages of chosen origins call the protocol; the operator's routes are never open to other origins.
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const open = /^\/(a2a|\.well-known|openapi\.json)(\/|\?|$)/

const headers = {
  allowedHeaders: [
    'Content-Type',
    'A2A-Version',
    'A2A-Extensions',
    'X-A2A-Extensions',
    'Authorization',
    'Last-Event-ID',
    'traceparent',
  ],
  exposedHeaders: ['A2A-Extensions', 'ETag', 'Retry-After', 'WWW-Authenticate'],
  methods: ['GET', 'POST', 'DELETE'],
  maxAge: 600,
}

/** `origins` are such as `https://ui.example`; `*` is every one. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = origins.includes('*') ? '*' : [...origins]
  await app.register(cors, {
    delegator: (request, done) => done(null, { ...headers, origin: open.test(request.url) && allowed }),
  })
}
