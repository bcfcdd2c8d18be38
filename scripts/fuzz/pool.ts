// The ids that an agent has given, so that requests can name what there is.
import type { Names } from './mutate.ts'

/** So many of the newest are kept, and all of the first: those are in every state. */
const kept = 60

export type Pool = ReturnType<typeof createPool>

export function createPool(token = 'no-token-0123456789', operator = token) {
  const tasks: { task: string; context: string }[] = []
  const configs: string[] = ['c']
  let messages = 0
  return {
    /** Takes what an answer tells. */
    learn(body: string): void {
      for (const [, task, context] of body.matchAll(/"id":"([0-9a-f-]{36})","contextId":"([^"]{1,80})"/g)) {
        if (tasks.some((known) => known.task === task)) continue
        tasks.push({ task: task!, context: context! })
        if (tasks.length > 2 * kept) tasks.splice(kept, 1)
      }
      const [, config] = /"(?:configs":\[\{)?"id":"([0-9a-f-]{36})","taskId"/.exec(body) ?? []
      if (config && !configs.includes(config)) configs.push(config)
    },
    /** The names for a request; each has a message id that no other has. */
    names(pick: number): Names {
      messages += 1
      const { task = 'no-task', context = 'no-context' } = tasks[pick % Math.max(1, tasks.length)] ?? {}
      return {
        task,
        context,
        config: configs[pick % configs.length]!,
        message: `m-${messages}`,
        token,
        operator,
      }
    },
  }
}
