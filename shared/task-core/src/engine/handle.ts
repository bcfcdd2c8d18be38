// What an agent's function is handed: its task, and the calls on it.
import type { TaskHandle } from '../define-agent.ts'
import type { Message, Struct } from '../protocol/index.ts'
import { createAsk } from './calls/ask.ts'
import { createAuthorize } from './calls/authorize.ts'
import { createEmit } from './calls/emit.ts'
import { createFollow } from './calls/follow.ts'
import { createReferences } from './calls/references.ts'
import { createStep } from './calls/step.ts'
import { never } from './core.ts'
import type { Run } from './run.ts'

export function createHandle(run: Run): TaskHandle {
  const { first, journal, signal } = run
  const history = JSON.parse(first.history) as Message[]
  const request = journal.get<{ metadata: Struct }>('request')
  return {
    id: first.id,
    contextId: first.contextId,
    caller: first.owner,
    message: history[0]!,
    requestMetadata: request?.metadata ?? {},
    signal,
    ...createEmit(run),
    ask: createAsk(run),
    authorize: createAuthorize(run),
    step: createStep(run),
    follow: createFollow(run),
    references: createReferences(run, history[0]!),
    reject: (reason) =>
      run.call('reject', async () => {
        await run.fresh()
        await run.finish('TASK_STATE_REJECTED', reason)
        return never()
      }),
  }
}
