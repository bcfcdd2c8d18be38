// The end of the event loop's turn, for what only reads: then everything that came in together is answered together.
import { outside } from '../telemetry/index.ts'

let end: Promise<void> | undefined

/**
 * Resolves when everything that the turn has brought in is taken in. Answers that are written one by one, with other work between them, wake
 * their reader for each, which took two fifths of a GetTask under load; written together, the first one's does for all.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(outside, () => {
      end = undefined
      resolve()
    })
  })
  return end
}
