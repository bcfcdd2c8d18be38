// Runs one agent in its container: `node scripts/run.mjs scripts/container.ts planner`.
import { connect, createServer } from 'node:net'
import { agentNames, grpcPortsFrom, portsFrom } from './addresses.ts'

const self = agentNames.find((name) => name === process.argv[2])
if (!self) {
  console.error(`Name the agent to run: ${agentNames.join(', ')}.`)
  process.exit(1)
}

/**
 * Makes `localhost:<port>` here what it is on the host: each connection is passed on to the container `host`. Whether that
 * one is there shows only then, so it may start later and be restarted.
 */
function passOn(host: string, port: number): void {
  createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port, noDelay: true })
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // The caller finds out by the lost connection, as it would without us.
      one.on('error', () => {})
      one.on('close', () => other.destroySoon())
    }
  }).listen(port, '127.0.0.1')
}

const ports = portsFrom(process.env)
const grpcPorts = grpcPortsFrom(process.env, ports)
for (const name of agentNames) {
  if (name === self) continue
  passOn(name, ports[name])
  if (Number(grpcPorts[name]) > 0) passOn(name, Number(grpcPorts[name]))
}
await import(`../agents/${self}/src/main.ts`)
