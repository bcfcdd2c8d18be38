// Where the three agents are: their ports, and what they tell others of them.

export const agentNames = ['code-reviewer', 'deployer', 'planner'] as const
export type AgentName = (typeof agentNames)[number]

/** The ports that the documentation names. */
export const documentedPorts: Record<AgentName, number> = {
  planner: 41241,
  'code-reviewer': 41242,
  deployer: 41243,
}

/** The variable that sets for the scripts what `variable` sets for this one agent: `PLANNER_GRPC_PORT` for `GRPC_PORT`. */
const ownVariable = (name: AgentName, variable: string): string =>
  `${name.toUpperCase().replace('-', '_')}_${variable}`

/** The variable that sets the agent's port for the scripts. */
export const portVariable = (name: AgentName): string => ownVariable(name, 'PORT')

/** The port of each agent: `PLANNER_PORT`, `CODE_REVIEWER_PORT` and `DEPLOYER_PORT`, else the documented ones. */
export function portsFrom(env: NodeJS.ProcessEnv): Record<AgentName, number> {
  const port = (name: AgentName): number => {
    const variable = portVariable(name)
    const text = env[variable] ?? String(documentedPorts[name])
    if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65536) return Number(text)
    throw new Error(`${variable} must be a port number, and is "${text}".`)
  }
  return { planner: port('planner'), 'code-reviewer': port('code-reviewer'), deployer: port('deployer') }
}

/**
 * What `GRPC_PORT` is for each agent: `PLANNER_GRPC_PORT` and so on, `GRPC_PORT` for all (0 or `off`), else 1000 more than
 * its port.
 */
export function grpcPortsFrom(
  env: NodeJS.ProcessEnv,
  ports: Record<AgentName, number>,
): Record<AgentName, string> {
  const port = (name: AgentName): string =>
    env[ownVariable(name, 'GRPC_PORT')] ?? env.GRPC_PORT ?? String(ports[name] + 1000)
  return { planner: port('planner'), 'code-reviewer': port('code-reviewer'), deployer: port('deployer') }
}

/** Where an agent answers on this machine. One that has a certificate speaks TLS alone. */
export const localUrl = ({ TLS_CERT_FILE }: NodeJS.ProcessEnv, port: number): string =>
  `${TLS_CERT_FILE ? 'https' : 'http'}://localhost:${port}`

/** Where an agent says that it is, as a base of links: its own `…_PUBLIC_URL`, else where it answers on this machine. */
export const publicUrl = (
  env: NodeJS.ProcessEnv,
  name: AgentName,
  ports: Record<AgentName, number>,
): string => env[ownVariable(name, 'PUBLIC_URL')]?.replace(/\/+$/, '') || localUrl(env, ports[name])

/**
 * The variables of agent `name` that follow from those of the scripts in `env`, so that it can say where it is, and the planner finds its peers.
 * @throws Error if one address is set for all three: links would lead to the wrong agent
 */
export function addressesFor(
  env: NodeJS.ProcessEnv,
  name: AgentName,
  ports: Record<AgentName, number>,
): NodeJS.ProcessEnv {
  for (const variable of ['PUBLIC_URL', 'GRPC_PUBLIC_URL']) {
    if (!env[variable]) continue
    const own = ['planner', 'code-reviewer', 'deployer'] as const
    throw new Error(
      `${variable} would give all three agents one address: set ${own.map((one) => ownVariable(one, variable)).join(', ')} instead.`,
    )
  }
  return {
    GRPC_PORT: grpcPortsFrom(env, ports)[name],
    PUBLIC_URL: env[ownVariable(name, 'PUBLIC_URL')] || undefined,
    GRPC_PUBLIC_URL: env[ownVariable(name, 'GRPC_PUBLIC_URL')] || undefined,
    CODE_REVIEWER_URL: env.CODE_REVIEWER_URL ?? publicUrl(env, 'code-reviewer', ports),
    DEPLOYER_URL: env.DEPLOYER_URL ?? publicUrl(env, 'deployer', ports),
  }
}
