// Runs the conformance agent as a process that tells its parent how much memory it holds, once the garbage is gone.
import { serve } from '@a2a-kit/task-core'
import { conformance } from '../../agents/conformance/src/agent.ts'

process.on('message', () => {
  globalThis.gc!()
  const { heapUsed, external } = process.memoryUsage()
  process.send!({ held: heapUsed + external })
})

await serve(() => conformance, { port: 0 })
