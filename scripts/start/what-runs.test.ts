import { expect, test } from 'vitest'
import { documentedPorts } from '../addresses.ts'
import { whatRuns } from './what-runs.ts'

const first = (env: NodeJS.ProcessEnv, ports = documentedPorts) => whatRuns(env, ports).split('\n')[0]

test('it says where the agents are, and where operators read', () => {
  const url = 'https://deployer.example/'
  expect(whatRuns({ DEPLOYER_PUBLIC_URL: url }, documentedPorts).split('\n').slice(1)).toEqual([
    '  code-reviewer  http://localhost:41242',
    '  deployer       https://deployer.example',
    '  planner        http://localhost:41241',
    'Operators read and decide what waits at https://deployer.example/approve.',
  ])
})

test('the demo is named with what it needs to find and use the agents', () => {
  const stops = 'The kit runs. Ctrl-C stops it; '
  expect(first({})).toBe(`${stops}\`npm run demo\` in another terminal uses it.`)
  expect(first({}, { ...documentedPorts, deployer: 1043 })).toBe(
    `${stops}\`DEPLOYER_PORT=1043 npm run demo\` in another terminal uses it.`,
  )
  const given = 'given PEER_TOKEN and OPERATOR_TOKENS,'
  for (const callers of ['CALLER_TOKENS', 'CALLER_JWKS_URL', 'CALLER_JWT_SECRET_FILE']) {
    const env = { [callers]: 'secret', OPERATOR_TOKENS: 'secret' }
    expect(first(env)).toBe(`${stops}\`npm run demo\` in another terminal, ${given} uses it.`)
  }
})

test('the demo is not named where it cannot use them', () => {
  expect(first({ TLS_CERT_FILE: 'cert.pem' })).toBe('The kit runs. Ctrl-C stops it.')
})
