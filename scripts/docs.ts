// Fills the marked regions of the documentation from the captures, or checks that they are filled: `npm run docs`.
import { runDocs } from './docs/command.ts'

process.exitCode = runDocs(process.argv.slice(2))
