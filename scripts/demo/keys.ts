// What a person presses or types while the demo waits.
import { createInterface } from 'node:readline/promises'

/** Where keys come from: a terminal, or what stands for one. */
export type Keyboard = NodeJS.ReadableStream & Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode'>

/** Resolves with the first of `keys` that is pressed; Ctrl-C counts as `q`. Rejects when `signal` aborts. */
export function pressed(keys: string, signal: AbortSignal, stdin: Keyboard = process.stdin): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = () => {
      stdin.off('data', onData)
      signal.removeEventListener('abort', onAbort)
      stdin.setRawMode(false)
      stdin.pause()
    }
    const onAbort = () => {
      end()
      reject(signal.reason)
    }
    const onData = (data: Buffer) => {
      const key = data.toString() === '\u0003' ? 'q' : data.toString().toLowerCase()
      if (!keys.includes(key)) return
      end()
      resolve(key)
    }
    if (signal.aborted) return reject(signal.reason)
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', onData)
    signal.addEventListener('abort', onAbort)
  })
}

/** The line that is typed, or `standard` for an empty one. */
export async function typed(prompt: string, standard: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await lines.question(prompt, { signal })).trim() || standard
  } finally {
    lines.close()
  }
}
