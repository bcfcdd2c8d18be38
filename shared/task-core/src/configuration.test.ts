import { expect, test } from 'vitest'
import { readConfiguration } from './configuration.ts'

const grpcOf = (env: NodeJS.ProcessEnv, grpcPort?: number) =>
  readConfiguration(env, { port: 1, ...(grpcPort !== undefined && { grpcPort }) }).grpcPort

test('gRPC is on the agent’s own port, on the one that is set, or off', () => {
  expect(grpcOf({})).toBeUndefined()
  expect(grpcOf({}, 42241)).toBe(42241)
  expect(grpcOf({ GRPC_PORT: '50051' }, 42241)).toBe(50051)
  expect(grpcOf({ GRPC_PORT: '0' }, 42241)).toBe(0)
  expect(grpcOf({ GRPC_PORT: 'off' }, 42241)).toBeUndefined()
})

test.each([
  ['GRPC_PORT', 'none'],
  ['GRPC_PORT', '-1'],
  ['GRPC_PORT', '65536'],
  ['GRPC_PUBLIC_URL', 'agents.example'],
  ['GRPC_PUBLIC_URL', 'https://agents.example:443'],
])('%s is not %s', (name, value) => {
  expect(() => grpcOf({ [name]: value })).toThrow(name)
})
