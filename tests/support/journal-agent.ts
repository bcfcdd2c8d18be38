// Runs an agent as a process whose steps leave a line each in the file `JOURNAL`, and stop until the test makes the file `JOURNAL` with the
// task's id at its end.
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { serve, type TaskHandle, textOf } from '@a2a-kit/task-core'
import { conformance } from '../../agents/conformance/src/agent.ts'

const { JOURNAL = '' } = process.env
const note = (...words: string[]) => appendFileSync(JOURNAL, `${words.join(' ')}\n`)
const toldToGoOn = async ({ id }: TaskHandle) => {
  while (!existsSync(`${JOURNAL}-${id}`)) await pause(10)
}

await serve(
  () => ({
    ...conformance,
    async run(task) {
      const text = textOf(task.message)
      if (text === 'steps') {
        await task.working()
        for (const name of ['first', 'second']) {
          await task.step(name, ({ idempotencyKey }) => note(name, idempotencyKey))
        }
        await task.step('held', async ({ idempotencyKey }) => {
          note('held', idempotencyKey)
          await toldToGoOn(task)
        })
        await task.step('last', ({ idempotencyKey }) => note('last', idempotencyKey))
      } else if (text.startsWith('queued')) {
        await task.step(text, async () => {
          note(text)
          await toldToGoOn(task)
        })
      } else if (text === 'chunks') {
        await task.step('write', async ({ out }) => {
          for (let nth = 1; nth <= 6; nth += 1) {
            if (nth === 5) {
              note('chunks')
              await toldToGoOn(task)
            }
            await out.append({ name: 'report', text: `${nth} ` })
          }
        })
      } else return conformance.run(task)
    },
  }),
  { port: 0 },
)
