// Runs the planner as a process.
import { serve } from '@a2a-kit/task-core'
import { makePlanner } from './make.ts'

await serve(() => makePlanner(), { port: 41241, grpcPort: 42241 })
