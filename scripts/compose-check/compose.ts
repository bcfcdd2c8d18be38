// One Compose project of docker-compose.yml, on free ports: its commands, and what the engine says of its containers.
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentName, root } from '../kit.ts'

export type Compose = Awaited<ReturnType<typeof composeProject>>

interface ContainerState {
  Status: string
  ExitCode: number
  StartedAt: string
  Health?: { Status: string; Log: { Output: string }[] }
}

interface Container {
  State: ContainerState
  Image: string
  HostConfig: { PortBindings: Record<string, { HostIp: string; HostPort: string }[]> }
}

/** Why there is nothing to try it with, undefined if there is. */
export function whyNoDocker(): string | undefined {
  const engine = spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' })
  if (engine.error) return 'there is no docker command. Install Docker, with Compose, and start it.'
  if (engine.status !== 0) {
    return `no Docker engine answers. Start it, and look whether you may use it. ${engine.stderr.trim()}`
  }
  const { status, stderr } = spawnSync('docker', ['compose', 'version'], { encoding: 'utf8' })
  return status === 0 ? undefined : `docker has no compose command. Install Compose. ${stderr.trim()}`
}

/** The project `name`. Its commands throw an Error with what Docker said when they fail. */
export async function composeProject(name: string) {
  const [planner, reviewer, deployer] = await freePorts(3)
  const ports: Record<AgentName, number> = {
    planner: planner!,
    'code-reviewer': reviewer!,
    deployer: deployer!,
  }
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_HTTP_TIMEOUT: '600', // an old Compose gives a slow engine up after 60 s
    PLANNER_PORT: String(planner),
    CODE_REVIEWER_PORT: String(reviewer),
    DEPLOYER_PORT: String(deployer),
  }

  function docker(words: string[], show = false): string {
    const stdio = show ? 'inherit' : 'pipe'
    const done = spawnSync('docker', words, { cwd: root, env, encoding: 'utf8', stdio })
    if (done.status === 0) return done.stdout ?? ''
    throw new Error(`docker ${words.join(' ').split('\n')[0]} failed: ${done.stderr?.trim() ?? 'see above'}`)
  }
  const compose = (...words: string[]) => docker(['compose', ...words])

  function container(agent: AgentName): Container {
    const id = compose('ps', '--all', '--quiet', agent).trim()
    return JSON.parse(docker(['inspect', id]))[0]
  }

  return {
    ports,
    url: (agent: AgentName) => `http://localhost:${ports[agent]}`,
    compose,
    container,
    /** Shows Docker's own output. */
    build: () => void docker(['compose', 'build'], true),
    /** In bytes. */
    imageSize: (agent: AgentName): number =>
      JSON.parse(docker(['image', 'inspect', container(agent).Image]))[0].Size,
    /** Resolves when the engine finds the agent healthy, and not as it was started at `before`. Throws when it cannot be. */
    async healthy(agent: AgentName, before?: string): Promise<void> {
      for (;;) {
        const { State } = container(agent)
        if (State.Health?.Status === 'healthy' && State.StartedAt !== before) return
        if (State.Status === 'exited' || (State.Status === 'restarting' && State.ExitCode === 1)) {
          throw new Error(`${agent} does not start.`)
        }
        if (State.Health?.Status === 'unhealthy') {
          throw new Error(`${agent} is unhealthy: ${State.Health.Log.at(-1)?.Output}`)
        }
        await pause(1000)
      }
    },
    logs: (lines: number): string => compose('logs', '--no-color', `--tail=${lines}`),
    /** Removes containers, networks, volumes and images of the project. */
    remove: () => void compose('down', '--volumes', '--remove-orphans', '--rmi', 'local'),
  }
}

/** So many ports on which nobody listens. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = servers.map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
      }),
  )
  const free = await Promise.all(ports)
  for (const server of servers) server.close()
  return free
}
