// The command `npm run tutorial`: help, the list, one tutorial, or a check of all.
import { printHelp } from '../command-line.ts'
import { check } from './check.ts'
import { takeLesson } from './lesson.ts'
import { captureFolder as folder, namesFor } from './library.ts'
import { list } from './list.ts'
import { help, readOptions } from './options.ts'

/** Returns the exit code. */
export async function runTutorial(args: string[]): Promise<number> {
  const { env, stdin: input, stdout: output } = process
  const leave = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => leave.abort())
  output.on('error', () => leave.abort()) // nobody reads any more: what was started is to be stopped
  try {
    const { check: checks, again, own, words, help: asked } = readOptions(args)
    const names = namesFor(words, folder)
    if (asked) printHelp(help)
    else if (checks)
      await check(names, { folder, env, own, say: (line) => console.log(line), signal: leave.signal })
    else if (words.length === 0) list(names, { folder, env, output })
    else await takeLesson(names[0]!, { folder, env, again, own, input, output, signal: leave.signal })
    return leave.signal.aborted ? 130 : 0
  } catch (error) {
    if (leave.signal.aborted) return 130 // the agents that were being started heard the signal too
    console.error((error as Error).message)
    return 1
  }
}
