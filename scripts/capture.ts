// Records the captures, or checks that they are what the kit gives: `npm run capture`.
import { runCapture } from './capture/command.ts'

process.exitCode = await runCapture(process.argv.slice(2))
