// The command `npm run tutorial`: help, list, one tutorial, or a check of all.
import { check } from './check.ts'
import { captureFolder, namesFor } from './library.ts'
import { help, readOptions } from './options.ts'

/** Returns the exit code. */
export async function runTutorial(args: string[]): Promise<number> {
  try {
    const options = readOptions(args)
    const names = namesFor(options.words, captureFolder)
    if (options.help) console.log(help)
    else if (options.check)
      await check(names, { folder: captureFolder, env: process.env, say: (line) => console.log(line) })
    return 0
  } catch (error) {
    console.error((error as Error).message)
    return 1
  }
}
