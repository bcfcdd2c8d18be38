// `ask`: the wait for an answer on the task, TASK_STATE_INPUT_REQUIRED.
import type { AskOptions } from '../../define-agent.ts'
import { answerSchemaExtension, type Content, type Message } from '../../protocol/index.ts'
import { never } from '../core.ts'
import type { WaitRecord } from '../journal.ts'
import type { Run } from '../run.ts'

export function createAsk({ core, journal, row, call, park, fresh }: Run) {
  const { store, writer, world, settings } = core

  return function ask(question: Content, { schema }: AskOptions = {}): Promise<Message> {
    const key = journal.next('ask')
    return call('ask', async () => {
      const known = journal.get<WaitRecord>(key)
      if (known?.outcome === 'message') return known.message
      await fresh()
      await store.write(() => {
        const now = row()
        writer.status(now, 'TASK_STATE_INPUT_REQUIRED', {
          message: writer.say(now, question, schema && { [answerSchemaExtension]: schema }),
          wait: key,
          expiresAt: world.now() + settings.inputTtl * 1000,
          work: false,
        })
        park()
      })
      return never()
    })
  }
}
