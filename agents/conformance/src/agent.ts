// The scripted agent: the message chooses what it does. The core's tests run against it, and anybody's client can.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Agent,
  defineAgent,
  type StepContext,
  TaskError,
  type TaskHandle,
  textOf,
} from '@a2a-kit/task-core'
import { type Command, parseScript } from './script.ts'

export const conformance: Agent = defineAgent({
  card: {
    name: 'conformance',
    description: 'Does what the message says: for trying A2A clients and servers.',
    version: '0.1.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'script',
        name: 'Run a script',
        description: 'Runs the commands of the message, one after the other.',
        tags: ['testing'],
        examples: [
          'working; sleep 500; complete done',
          'ask Which branch?; artifact answer.txt thanks',
          'chunks 5 every 100ms',
        ],
      },
    ],
  },

  reply: (message) => /^reply\s+(.+)$/s.exec(textOf(message))?.[1],

  async run(task) {
    for (const command of readScript(textOf(task.message))) {
      if (command.verb === 'complete') return command.text || undefined
      await perform(task, command)
    }
  },
})

function readScript(text: string): Command[] {
  try {
    return parseScript(text)
  } catch (error) {
    throw new TaskError((error as Error).message)
  }
}

async function perform(task: TaskHandle, command: Exclude<Command, { verb: 'complete' }>): Promise<unknown> {
  switch (command.verb) {
    case 'working':
      return task.working(command.text || undefined)
    case 'sleep':
      return task.step('sleep', ({ signal }) => pause(command.ms, command.ignoreAbort ? undefined : signal))
    case 'hang':
      return task.step('hang', () => new Promise<void>(() => {}))
    case 'chunks':
      return task.step('chunks', (step) => emitChunks(step, command))
    case 'artifact':
      return task.artifact({ name: command.name, text: command.text })
    case 'ask': {
      const answer = await task.ask(command.text)
      return task.artifact({ name: 'answer', text: textOf(answer) })
    }
    case 'authorize':
      return authorize(task, command.text)
    case 'throw':
      throw new Error(command.text)
    case 'fail':
      throw new TaskError(command.text)
    case 'reject':
      return task.reject(command.text)
  }
}

/** Asks until an operator decides: what the client says meanwhile is noted, and approves nothing. */
async function authorize(task: TaskHandle, what: string): Promise<void> {
  const explain = (url: string) => `An operator must approve ${what} at ${url}`
  for (;;) {
    const decision = await task.authorize({ operation: { action: what }, explain })
    if (decision.outcome === 'approved') return task.artifact({ name: 'decision', data: decision })
    if (decision.outcome === 'denied') return task.reject(decision.reason)
    if (decision.outcome === 'expired') throw new TaskError('Nobody approved in time.')
    await task.artifact({ name: 'note', text: textOf(decision.message) })
  }
}

async function emitChunks(
  { out, signal }: StepContext,
  { count, every, size }: Extract<Command, { verb: 'chunks' }>,
) {
  for (let nth = 1; nth <= count; nth += 1) {
    if (every > 0) await pause(every, signal)
    await out.append({ name: 'chunks', text: `chunk-${nth} `.padEnd(size, '.') })
  }
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {})
