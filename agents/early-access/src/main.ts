// Runs the early-access agent as a process, with its registrations in the data folder.
import { serve } from '@a2a-kit/task-core'
import { earlyAccess } from './agent.ts'
import { openRegistrations } from './registrations.ts'

await serve(({ dataDir }) => earlyAccess(openRegistrations(dataDir)), { port: 41244, grpcPort: 42244 })
