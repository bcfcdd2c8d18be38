// Runs the conformance agent as a process.
import { serve } from '@a2a-kit/task-core'
import { conformance } from './agent.ts'

await serve(() => conformance, { port: 41249, grpcPort: 42249 })
