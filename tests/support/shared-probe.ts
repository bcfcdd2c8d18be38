// One agent, by default the conformance agent, for all tests of a file, which counts its runs; and what a test needs to hold that nothing changed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformance } from '@a2a-kit/conformance'
import { type Agent, type AgentOptions, startAgent } from '@a2a-kit/task-core'
import { pino } from 'pino'
import { beforeAll, expect } from 'vitest'
import { type Probe, talkTo } from './probe.ts'

export interface SharedProbe {
  readonly probe: Probe
  /** Holds that `work` makes, changes and runs no task. No other task may be at work meanwhile. */
  changesNothing(work: () => Promise<unknown>): Promise<void>
}

type ProbeOptions = Partial<AgentOptions> & { agent?: Agent }

/** Starts the agent before the first test of the file, and ends it after the last. A function is asked for its options then. */
export function shareProbe(given: ProbeOptions | (() => ProbeOptions) = {}): SharedProbe {
  let started: Probe | undefined
  let runs = 0
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
    const log = pino({ level: 'silent' })
    const { agent = conformance, ...options } = typeof given === 'function' ? given() : given
    const counting: Agent = {
      ...agent,
      run(task) {
        runs += 1
        return agent.run(task)
      },
    }
    const running = await startAgent(counting, { dataDir, log, grpcPort: 0, ...options })
    started = { ...running, ...talkTo(`${running.url}/a2a`, running.grpcPort), dataDir }
    return async () => {
      await running.close()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
    }
  })
  /** What a client sees of the tasks that changed last, how many there are, and how often the agent ran. */
  const seen = async (probe: Probe) => {
    const all = { pageSize: 20, includeArtifacts: true }
    const { result } = await probe.call('JSONRPC', 'ListTasks', all)
    return { runs, tasks: JSON.stringify(result) }
  }
  return {
    get probe() {
      return started!
    },
    async changesNothing(work) {
      const before = await seen(started!)
      await work()
      expect(await seen(started!)).toEqual(before)
    },
  }
}
