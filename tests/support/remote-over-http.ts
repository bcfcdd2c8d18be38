// A real agent behind `RemoteAgent`: the least that follows it over HTTP, through drops, with the replay extension.
import { setTimeout as pause } from 'node:timers/promises'
import type { RemoteAgent } from '@a2a-kit/task-core'
import {
  A2AError,
  type ErrorName,
  errorTable,
  fold,
  isTerminal,
  replayExtension,
  type Task,
} from '@a2a-kit/task-core/protocol'
import { type Answer, type Probe, talkTo } from './probe.ts'

const nameOf = (code: number) =>
  (Object.keys(errorTable) as ErrorName[]).find((name) => errorTable[name].code === code)!

function resultOf({ result, error }: Answer) {
  if (error) throw new A2AError(nameOf(error.code), error.message)
  return result
}

/** The agent at `url`. A call is tried again while nobody answers, and stops by its signal. */
export function remoteOverHttp({ card, url }: Pick<Probe, 'card' | 'url'>): RemoteAgent {
  const remote = talkTo(`${url}/a2a`)
  async function again<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        signal?.throwIfAborted()
        return await Promise.race([work(), aborted(signal)])
      } catch (error) {
        if (signal?.aborted || error instanceof A2AError) throw error
        await pause(20)
      }
    }
  }
  const call = (operation: string, params: object, signal: AbortSignal | undefined) =>
    again(signal, async () => {
      const answer = await remote.call('JSONRPC', operation, params)
      if (answer.status === 503) throw new Error('the agent is stopping')
      return resultOf(answer)
    })

  return {
    name: card.name,
    url,
    sendMessage: (message, { returnImmediately = false, signal } = {}) =>
      call('SendMessage', { message, configuration: { returnImmediately } }, signal),
    getTask: (id, { signal } = {}) => call('GetTask', { id }, signal),
    cancelTask: (id, { signal } = {}) => call('CancelTask', { id }, signal),
    async *watch(id, { lastEventId, signal } = {}) {
      let last = lastEventId
      let task: Task | undefined
      while (!task || !isTerminal(task.status.state)) {
        const headers = { 'A2A-Extensions': replayExtension, ...(last ? { 'Last-Event-ID': last } : {}) }
        const stream = await again(signal, () => remote.stream('JSONRPC', 'SubscribeToTask', { id }, headers))
        signal?.addEventListener('abort', stream.close, { once: true })
        try {
          for await (const { id: eventId = '', ...event } of stream.frames) {
            task = fold(task, { frame: event })
            const isNews = eventId !== last || last === lastEventId
            last = eventId
            if (isNews) yield { event, eventId, task: structuredClone(task) }
          }
        } catch {
          signal?.throwIfAborted() // or a drop: subscribe again
        }
      }
    },
  }
}

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
