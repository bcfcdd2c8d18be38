import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfiguration } from './index.ts'

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
  ['GRPC_PUBLIC_URL', 'https://agents.example'],
  ['GRPC_PUBLIC_URL', 'http://agents.example:443'],
])('%s is not %s', (name, value) => {
  expect(() => grpcOf({ [name]: value })).toThrow(name)
})

const first = '0123456789abcdef'
const other = 'fedcba9876543210'

test.each([
  [
    'a caller that is named twice',
    `a:${first},b:${first.repeat(2)},a:${other}`,
    'names the caller "a" twice',
  ],
  ['a token of two callers', `a:${first},b:${first}`, 'one token for "a" and "b"'],
  ['a token that no header carries as it is', `a:${'é'.repeat(16)}`, 'names and tokens such as alice:token'],
])('%s is refused, and no token is shown', (_, CALLER_TOKENS, why) => {
  const read = () => readConfiguration({ CALLER_TOKENS }, { port: 1 })
  expect(read).toThrow(why)
  expect(read).not.toThrow(first)
})

test.each([
  [
    'an operator that is named twice',
    `a:${first},a:${other}`,
    'OPERATOR_TOKENS names the operator "a" twice',
  ],
  ['a token that is too short', 'a:short', 'OPERATOR_TOKENS must be names and tokens such as alice:token'],
  [
    'a token of a caller too',
    `ada:${other}`,
    '"ada" of OPERATOR_TOKENS and the caller "planner" of CALLER_TOKENS',
  ],
])('for operators, %s is refused, and no token is shown', (_, OPERATOR_TOKENS, why) => {
  const read = () => readConfiguration({ OPERATOR_TOKENS, CALLER_TOKENS: `planner:${other}` }, { port: 1 })
  expect(read).toThrow(why)
  expect(read).not.toThrow(other)
})

test.each(['OPERATOR_TOKENS', 'CALLER_TOKENS'])(
  'the token for the metrics is none of %s, and is not shown',
  (variable) => {
    const read = () =>
      readConfiguration({ [variable]: `ada:${other},bob:${first}`, METRICS_TOKEN: first }, { port: 1 })
    expect(read).toThrow(`METRICS_TOKEN is the token of "bob" in ${variable}`)
    expect(read).not.toThrow(first)
  },
)

test('operators, their hosts and the cards of callers are read', () => {
  const env = {
    OPERATOR_TOKENS: `ada:${first}`,
    ANYONE_MAY_APPROVE: 'true',
    ALLOWED_HOSTS: 'deployer.internal,deployer',
    CALLER_CARDS: 'planner=https://planner.example,nightly=http://localhost:1/card.json?x=y',
  }
  expect(readConfiguration(env, { port: 1 }).operators).toEqual({
    tokens: { ada: first },
    anyoneMayApprove: true,
    allowedHosts: ['deployer.internal', 'deployer'],
    callerCards: { planner: 'https://planner.example', nightly: 'http://localhost:1/card.json?x=y' },
  })
  expect(readConfiguration({}, { port: 1 }).operators).toEqual({
    tokens: undefined,
    anyoneMayApprove: false,
    allowedHosts: [],
    callerCards: {},
  })
})

test.each([
  ['ALLOWED_HOSTS', 'deployer:8080', 'must be host names such as'],
  ['ALLOWED_HOSTS', 'https://deployer', 'must be host names such as'],
  ['ALLOWED_HOSTS', '*', 'must be host names such as'],
  ['CALLER_CARDS', 'planner', 'must be callers and the addresses of their cards'],
  ['CALLER_CARDS', 'planner=ftp://x', 'must be callers and the addresses of their cards'],
  ['CALLER_CARDS', 'planner=https://:x', 'has no address for "planner"'],
  ['CALLER_CARDS', 'a=https://x,a=https://y', 'names "a" twice'],
  ['ANYONE_MAY_APPROVE', 'yes', 'ANYONE_MAY_APPROVE'],
])('%s is not %s', (name, value, why) => {
  expect(() => readConfiguration({ [name]: value }, { port: 1 })).toThrow(why)
})

test('tokens may have whatever a header can, but for the comma', () => {
  const read = (CALLER_TOKENS: string) => readConfiguration({ CALLER_TOKENS }, { port: 1 }).callerTokens
  expect(read(`a:${first}:!+-/~=,b:${other}`)).toEqual({ a: `${first}:!+-/~=`, b: other })
})

test.each([
  ['https://UI.example', 'it is https://ui.example there'],
  ['https://ui.example:443', 'it is https://ui.example there'],
  ['https://ok.example,http://ui.example?', 'no browser sends'],
  ['https://*.example', 'must be origins such as'],
  ['https://a b', 'must be origins such as'],
  ['https://ui.example:99999', 'no browser sends'],
])('CORS_ORIGINS is not %s, which no browser would send', (CORS_ORIGINS, why) => {
  expect(() => readConfiguration({ CORS_ORIGINS }, { port: 1 })).toThrow(why)
})

test('CORS_ORIGINS are origins with their ports, or all', () => {
  const read = (CORS_ORIGINS: string) => readConfiguration({ CORS_ORIGINS }, { port: 1 }).settings.corsOrigins
  expect(read('https://ui.example,http://localhost:3000')).toEqual([
    'https://ui.example',
    'http://localhost:3000',
  ])
  expect([read('*'), readConfiguration({}, { port: 1 }).settings.corsOrigins]).toEqual([['*'], []])
})

test('a variable that the process has, and the given environment has not, is not read', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('HOST', '0.0.0.0')
  vi.stubEnv('CALLER_TOKENS', `a:${first}`)
  const { host, callerTokens } = readConfiguration({}, { port: 1 })
  expect({ host, callerTokens }).toEqual({ host: '127.0.0.1', callerTokens: undefined })
})
