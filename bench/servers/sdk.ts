// The official SDK as its documentation sets it up, with Express: tasks in memory, or in SQLite where `SQLITE_SYNCHRONOUS` says how.
import type { AddressInfo } from 'node:net'
import { AgentCard } from '@a2a-js/sdk'
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'
import { reportToParent } from './parent.ts'
import { scripted } from './sdk-executor.ts'
import { openSqliteStore } from './sdk-sqlite.ts'

const { SQLITE_SYNCHRONOUS: synchronous } = process.env
const { store, remove } = synchronous
  ? openSqliteStore(synchronous)
  : { store: new InMemoryTaskStore(), remove: () => {} }

const card = AgentCard.fromJSON({
  name: 'scripted',
  description: 'Does for the benchmark what the conformance agent does.',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'http://127.0.0.1/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'script', name: 'Run a script', description: 'As the message says.', tags: ['testing'] }],
})
const requestHandler = new DefaultRequestHandler(card, store, scripted)
const app = express()
app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  reportToParent(`http://127.0.0.1:${port}/a2a`, async () => {
    server.closeAllConnections()
    server.close()
    remove()
  })
})
