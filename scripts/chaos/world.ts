// What a run stands on from round to round: the agents, the wires before them, the webhook, and what was looked at already.
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../ports.ts'
import { type Agents, type Name, names, startAgents } from './agents.ts'
import { type Holdings, noteHoldings } from './checks/held.ts'
import { mountSmallDisk } from './disk.ts'
import { startWebhook, type Webhook } from './webhook.ts'
import { openWire, type Wire } from './wire.ts'

export interface World {
  /** Data and logs. */
  folder: string
  agents: Agents
  wires: Record<Name, Wire>
  webhook: Webhook
  holdings: Holdings
  /** False where no small file system can be mounted. */
  hasSmallDisk: boolean
  /** The key of the last task of each agent that was looked at. */
  lastTasks: Record<Name, number>
  /** How many lines of the deployer's journal were looked at. */
  lines: number
  /** Ends all. The folder goes, unless it is to be kept. */
  close(keep: boolean): Promise<void>
}

/** MiB. The scripted agent's data of many rounds, and nothing that a machine would feel. */
const smallDisk = 512

export async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-chaos-'))
  const unmount = mountSmallDisk(join(folder, 'data', 'conformance'), smallDisk)
  if (unmount) process.once('exit', unmount)
  const ports = await Promise.all(names.map(async (name) => [name, await freePort()] as const))
  const wirePorts = Object.fromEntries(ports) as Record<Name, number>
  const agents = await startAgents(folder, wirePorts)
  const all = names.map((name) => agents.all[name])
  const opened = await Promise.all(all.map(({ wirePort, port }) => openWire(wirePort, port)))
  const webhook = await startWebhook()
  return {
    folder,
    agents,
    wires: Object.fromEntries(names.map((name, index) => [name, opened[index]!])) as Record<Name, Wire>,
    webhook,
    holdings: await noteHoldings(all),
    hasSmallDisk: unmount !== undefined,
    lastTasks: { planner: 0, 'code-reviewer': 0, deployer: 0, conformance: 0 },
    lines: 0,
    async close(keep) {
      await agents.stop()
      await Promise.all([...opened.map((wire) => wire.close()), webhook.close()])
      if (keep) await cp(join(folder, 'data'), join(folder, 'kept'), { recursive: true })
      if (unmount) process.off('exit', unmount)
      unmount?.()
      await rm(join(folder, 'data'), { recursive: true, force: true, maxRetries: 3 })
      if (keep) return rename(join(folder, 'kept'), join(folder, 'data')) // what was on the small disk too
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
