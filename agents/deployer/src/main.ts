// Runs the deployer as a process.
import { serve } from '@a2a-kit/task-core'
import { makeDeployer } from './make.ts'

await serve((configuration) => makeDeployer(configuration), { port: 41243, grpcPort: 42243 })
