// A server that is measured: a process of its own on its own core, which is asked how much processor time it took.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Cores } from './cores.ts'

export interface Peer {
  /** Where it takes JSON-RPC. */
  url: string
  /** Seconds of processor time that the process has used. */
  cpuTime(): Promise<number>
  stop(): Promise<void>
}

export interface PeerOptions {
  cores: Cores
  /** The folder for CPU profiles of the servers; undefined for none. */
  profileTo: string | undefined
  /** What the server is told, beside the environment of this process. */
  env?: NodeJS.ProcessEnv
}

const runner = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url))

/**
 * Starts `bench/servers/<name>.ts`.
 * @throws Error when it ends before it listens
 */
export async function startPeer(name: string, { cores, profileTo, env }: PeerOptions): Promise<Peer> {
  const script = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url))
  const profiling = profileTo ? ['--cpu-prof', `--cpu-prof-dir=${profileTo}`] : []
  const [command, ...words] = [...cores.serverPrefix, process.execPath, ...profiling, runner, script]
  const child = spawn(command!, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')

  async function ask<Answer>(): Promise<Answer> {
    const first = await Promise.race([once(child, 'message'), exited.then(() => undefined)])
    if (!first) throw new Error(`the ${name} server has ended; what it said stands above.`)
    return first[0] as Answer
  }

  const { url } = await ask<{ url: string }>()
  return {
    url,
    async cpuTime() {
      child.send('cpu')
      return (await ask<{ cpu: number }>()).cpu
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
