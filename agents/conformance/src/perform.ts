// Does one command of a script on a task.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Message,
  RateLimited,
  type StepContext,
  TaskError,
  type TaskHandle,
  textOf,
} from '@a2a-kit/task-core'
import type { Command } from './script.ts'

/** The commands that `perform` does; the others decide how the run goes on. */
export type Deed = Exclude<Command, { verb: 'complete' | 'obey' }>

/** `message` is the one that the command stands in. */
export async function perform(task: TaskHandle, command: Deed, message: Message): Promise<unknown> {
  switch (command.verb) {
    case 'working':
      return task.working(command.text || undefined)
    case 'sleep':
      return task.step('sleep', ({ signal }) => pause(command.ms, command.ignoreAbort ? undefined : signal))
    case 'hang':
      return task.step('hang', () => new Promise<void>(() => {}))
    case 'chunks':
      return task.step('chunks', (step) => emitChunks(step, command))
    case 'append':
      return task.step('append', ({ out }) =>
        eachInTurn(command.texts, (text) => out.append({ name: command.name, text })),
      )
    case 'artifact':
      return task.artifact({ name: command.name, text: command.text })
    case 'data':
      return task.artifact({ name: command.name, data: command.data })
    case 'file': {
      const { name: filename, mediaType, text } = command
      return task.artifact({
        name: filename,
        parts: [{ raw: Buffer.from(text).toString('base64'), filename, mediaType }],
      })
    }
    case 'link': {
      const { name: filename, mediaType, url } = command
      return task.artifact({ name: filename, parts: [{ url, filename, mediaType }] })
    }
    case 'echo':
      return task.artifact({ name: 'echo', parts: message.parts })
    case 'references':
      return task.artifact({ name: 'references', data: await task.references() })
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
    case 'limited':
      return task.step('limited', () => {
        throw new RateLimited(command.until)
      })
    case 'reject':
      return task.reject(command.text)
  }
}

/** Asks until an operator decides: what the client says meanwhile is noted, and approves nothing. */
async function authorize(task: TaskHandle, what: string): Promise<void> {
  const explain = (url: string) => `An operator must approve ${what} at ${url}`
  for (;;) {
    const decision = await task.authorize({ operation: { action: what }, explain })
    switch (decision.outcome) {
      case 'approved':
        await task.step(`do ${what}`, () => true, { approval: decision })
        return task.artifact({ name: 'decision', data: decision })
      case 'denied':
      case 'revoked':
        return task.reject(decision.reason)
      case 'expired':
        throw new TaskError('Nobody approved in time.')
      case 'message':
        await task.artifact({ name: 'note', text: textOf(decision.message) })
    }
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

async function eachInTurn<T>(all: T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one)
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, undefined, signal ? { signal } : {})
