// Runs the conformance agent as a process.
import { serve } from '@a2a-kit/task-core'
import { readProfile } from './profile.ts'

await serve(() => readProfile(process.env).agent, {
  port: 41249,
  grpcPort: 42249,
  options: () => readProfile(process.env).options,
})
