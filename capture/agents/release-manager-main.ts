// Runs the release manager as a process.
import { serve } from '@a2a-kit/task-core'
import { makeReleaseManager } from './release-manager.ts'

await serve(() => makeReleaseManager(), { port: 41245, grpcPort: 42245 })
