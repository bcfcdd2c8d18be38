// The work that is measured as an agent of the kit: the same as that of the executor of the official SDK, and for the rest the conformance agent's.
import { conformance } from '@a2a-kit/conformance'
import { type Agent, defineAgent, textOf } from '@a2a-kit/task-core'
import { script } from './script.ts'

const { reply: _, ...agent } = conformance

export const scripted: Agent = defineAgent({
  ...agent,
  async run(task) {
    const [, name, text, count] = script.exec(textOf(task.message)) ?? []
    if (name && text) {
      await task.working()
      await task.artifact({ name, text })
      return
    }
    if (count === undefined) return conformance.run(task)
    await task.step('chunks', async ({ out }) => {
      for (let nth = 1; nth <= Number(count); nth += 1) {
        await out.append({ name: 'chunks', text: `chunk-${nth} ` })
      }
    })
  },
})
