// What is said once the agents run: where they are, where operators read, and what uses them.
import { type AgentName, agentNames, documentedPorts, portVariable, publicUrl } from '../addresses.ts'

/** What runs where, and what uses it. */
export function whatRuns(env: NodeJS.ProcessEnv, ports: Record<AgentName, number>): string {
  const addresses = agentNames.map((name) => `  ${name.padEnd(14)} ${publicUrl(env, name, ports)}`)
  return [
    `The kit runs. Ctrl-C stops it${demoCommand(env, ports)}.`,
    ...addresses,
    `Operators read and decide what waits at ${publicUrl(env, 'deployer', ports)}/approve.`,
  ].join('\n')
}

/** How the demo finds these agents. It speaks no TLS. */
function demoCommand(env: NodeJS.ProcessEnv, ports: Record<AgentName, number>): string {
  if (env.TLS_CERT_FILE) return ''
  const moved = agentNames.filter((name) => ports[name] !== documentedPorts[name])
  const variables = moved.map((name) => `${portVariable(name)}=${ports[name]} `).join('')
  const knowsCallers = env.CALLER_TOKENS || env.CALLER_JWKS_URL || env.CALLER_JWT_SECRET_FILE
  const secrets = [knowsCallers && 'PEER_TOKEN', env.OPERATOR_TOKENS && 'OPERATOR_TOKENS'].filter(Boolean)
  const given = secrets.length > 0 ? `, given ${secrets.join(' and ')},` : ''
  return `; \`${variables}npm run demo\` in another terminal${given} uses it`
}
