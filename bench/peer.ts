// A server that is measured: a process of its own on its own core, which is asked what it took and what is in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Cores } from './cores.ts'
import type { Answer, Memory } from './servers/parent.ts'

export interface Peer {
  /** Where it takes JSON-RPC. */
  url: string
  pid: number
  /** Seconds of processor time that the process has used. */
  cpuTime(): Promise<number>
  /** What it keeps, after a garbage collection. */
  memory(): Promise<Memory>
  /**
   * Asks the server something of its own: `what` is a name among the answers that it gave `reportToParent`.
   * @throws Error when it does not know `what`, its answer fails, or it ends
   */
  ask<T>(what: string, argument?: unknown): Promise<T>
  /** @throws Error that says so when it has ended by itself */
  checkRuns(): Promise<void>
  stop(): Promise<void>
}

export interface PeerOptions {
  cores: Cores
  /** The folder for CPU profiles of the servers; undefined for none. */
  profileTo: string | undefined
  /** All that the server is told, so that nothing of the shell that runs the benchmark gets into it. */
  env?: NodeJS.ProcessEnv
  /** For Node.js itself, such as `--max-old-space-size=4096`. */
  flags?: string[]
}

const runner = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url))

/**
 * Starts `bench/servers/<name>.ts`.
 * @throws Error when it ends before it listens
 */
export async function startPeer(name: string, options: PeerOptions): Promise<Peer> {
  const { cores, profileTo, env, flags = [] } = options
  const script = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url))
  const profile = `${new Date().toISOString().replaceAll(':', '-')}-${name}.cpuprofile`
  const profiling = profileTo
    ? ['--cpu-prof', `--cpu-prof-dir=${profileTo}`, `--cpu-prof-name=${profile}`]
    : []
  const node = [process.execPath, '--expose-gc', ...profiling, ...flags, runner, script]
  const [command, ...words] = [...cores.serverPrefix, ...node]
  const { PATH, TMPDIR } = process.env
  const child = spawn(command!, words, {
    env: { PATH, TMPDIR, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit').catch(() => {}) // it could not be started at all
  const gone = () => new Error(`the ${name} server has ended; what it said stands above.`)

  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const listening = Promise.withResolvers<unknown>()
  waiting.set(0, listening)
  child.on('message', ({ nth, value, error }: Answer) => {
    const one = waiting.get(nth)
    waiting.delete(nth)
    if (error === undefined) one?.resolve(value)
    else one?.reject(new Error(`the ${name} server: ${error}`))
  })
  void exited.then(() => {
    for (const one of waiting.values()) one.reject(gone())
    waiting.clear()
  })

  let isStopped = false
  let asked = 0
  function ask<T>(what: string, argument?: unknown): Promise<T> {
    if (!child.connected) return Promise.reject(gone())
    const answer = Promise.withResolvers<unknown>()
    waiting.set(++asked, answer)
    child.send({ nth: asked, what, argument })
    return answer.promise as Promise<T>
  }

  const url = (await listening.promise) as string
  return {
    url,
    pid: child.pid!,
    cpuTime: () => ask('cpu'),
    memory: () => ask('memory'),
    ask,
    async checkRuns() {
      if (!isStopped) await ask('cpu')
    },
    async stop() {
      isStopped = true
      if (child.connected) child.disconnect()
      await exited
    },
  }
}
