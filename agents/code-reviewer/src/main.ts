// Runs the code reviewer as a process.
import { serve } from '@a2a-kit/task-core'
import { makeCodeReviewer } from './make.ts'

await serve(makeCodeReviewer, { port: 41242, grpcPort: 42242 })
