// One Compose project of docker-compose.yml, on ports of its own: its commands, and what the engine says of its containers.
import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentName, root } from '../kit.ts'

export type Compose = ReturnType<typeof composeProject>

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

// Not the documented ones, and below those that a system hands out by itself: a restarted container must find its port free.
const ports: Record<AgentName, number> = { planner: 21241, 'code-reviewer': 21242, deployer: 21243 }

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
export function composeProject(name: string) {
  const env = {
    ...process.env,
    COMPOSE_PROJECT_NAME: name,
    COMPOSE_HTTP_TIMEOUT: '600', // an old Compose gives a slow engine up after 60 s
    PLANNER_PORT: String(ports.planner),
    CODE_REVIEWER_PORT: String(ports['code-reviewer']),
    DEPLOYER_PORT: String(ports.deployer),
    PLANNER_GRPC_PORT: String(ports.planner + 1000),
    CODE_REVIEWER_GRPC_PORT: String(ports['code-reviewer'] + 1000),
    DEPLOYER_GRPC_PORT: String(ports.deployer + 1000),
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
    /** With the ports, as the project's scripts read them. */
    env,
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
