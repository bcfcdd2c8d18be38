// Runs the conformance agent with one more command, `count <name>`: a side effect, which leaves a line in the file COUNTED.
import { appendFileSync, readFileSync } from 'node:fs'
import { conformance } from '@a2a-kit/conformance'
import { type Content, serve, type TaskHandle, textOf } from '@a2a-kit/task-core'

const { COUNTED = '' } = process.env

/** How often the effect was done, this time included: a run that is cut between doing and recording does it again. */
function count(key: string): number {
  appendFileSync(COUNTED, `${key}\n`)
  return readFileSync(COUNTED, 'utf8')
    .split('\n')
    .filter((line) => line === key).length
}

/** A handle whose message says one part of the script. */
const saying = (task: TaskHandle, text: string): TaskHandle => ({
  ...task,
  message: { ...task.message, parts: [{ text }] },
})

await serve(
  () => ({
    ...conformance,
    async run(task) {
      let end: Content | undefined
      for (const part of textOf(task.message).split(';')) {
        const [, name] = /^\s*count (\w+)\s*$/.exec(part) ?? []
        if (name === undefined) end = (await conformance.run(saying(task, part))) ?? undefined
        else {
          const times = await task.step(`count ${name}`, ({ idempotencyKey }) => count(idempotencyKey))
          await task.artifact({ name, text: String(times) })
        }
      }
      return end
    },
  }),
  { port: 0 },
)
