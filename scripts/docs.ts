// Fills the marked regions of the documentation from the captures, or checks that they are filled: `npm run docs`.
import { runDocs } from './docs/command.ts'

try {
  process.exitCode = runDocs(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
