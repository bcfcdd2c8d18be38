// An agent that asks operators for what its client says, and then does it: the message's data is what it asks for, and how it goes on.
import { dataOf, type Struct } from '@a2a-kit/task-core'
import { testAgent } from './agent.ts'
import { type Probe, userMessage } from './probe.ts'

export interface Asked {
  operation?: Struct
  /** What the agent says of it. */
  words?: string
  /** Where it asks its client something: once it is approved, before it uses the approval or after; or instead of asking for it again. */
  pause?: 'before' | 'after' | 'instead'
}

export const asking = testAgent(async (task) => {
  let message = task.message
  for (;;) {
    const { operation = { action: 'deploy' }, words = 'May I?', pause } = (dataOf(message) ?? {}) as Asked
    const decision = await task.authorize({ operation, explain: () => words })
    if (decision.outcome === 'message') {
      message = decision.message
      if ((dataOf(message) as Asked).pause === 'instead') await task.ask('What else?')
      continue
    }
    if (decision.outcome !== 'approved') return await task.reject(decision.outcome)
    if (pause === 'before') await task.ask('Shall I begin?')
    await task.step('act', () => 'done', { approval: decision })
    if (pause === 'after') await task.ask('What now?')
    return 'done'
  }
})

/** Has the agent ask for it, on a new task or on `taskId`; the token is that of the caller. @returns the task's id */
export async function ask(
  probe: Probe,
  asked: Asked = {},
  { token, taskId }: { token?: string; taskId?: string } = {},
): Promise<string> {
  const message = userMessage('', { parts: [{ data: asked }], ...(taskId && { taskId }) })
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const { result, error } = await probe.call('JSONRPC', 'SendMessage', { message }, headers)
  if (error) throw new Error(`refused: ${error.message}`)
  return result.task.id
}
