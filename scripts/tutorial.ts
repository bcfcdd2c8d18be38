// Plays the captures as tutorials in the terminal, or checks that the kit answers as they say: `npm run tutorial`.
import { runTutorial } from './tutorial/command.ts'

process.exitCode = await runTutorial(process.argv.slice(2))
