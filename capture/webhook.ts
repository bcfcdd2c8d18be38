// A receiver of push notifications in a scenario: each delivery that arrives is recorded as an exchange.
import { STATUS_CODES } from 'node:http'
import { type Delivery, openReceiver } from './receiver.ts'
import type { Recorder } from './recorder.ts'

/** The address that the documentation gives it; it listens on a free port. */
export const webhookBase = 'http://localhost:41250'

export interface WebhookOptions {
  /** The statuses of its first answers; then it is 204. */
  answers?: number[]
}

export interface Webhook {
  /** Where the agent finds it: for the config. */
  url: string
  /** Resolves once `count` deliveries have arrived in all. */
  deliveries(count: number): Promise<void>
  close(): Promise<void>
}

/** `from` names the agent that sends them. */
export async function openWebhook(
  recorder: Recorder,
  from: string,
  { answers = [] }: WebhookOptions,
): Promise<Webhook> {
  let arrived = 0
  let turn = Promise.resolve(0)

  const { url, close } = await openReceiver((delivery) => {
    turn = turn.then(async () => {
      // One thing at a time: what was asked first is answered first, and then this has happened.
      await recorder.until(() =>
        recorder.exchanges.every(({ frames, endedAt }) => frames || endedAt !== undefined),
      )
      const status = answers[arrived] ?? 204
      arrived += 1
      recorder.add(asExchange(delivery, from, status))
      return status
    })
    return turn
  })
  return { url, deliveries: (count) => recorder.until(() => arrived >= count), close }
}

/** The delivery as an exchange that `from` began and that was answered with `status`. */
export const asExchange = (
  { method, path, headers, body }: Delivery,
  from: string,
  status: number,
): Parameters<Recorder['add']>[0] => ({
  from,
  method,
  url: `${webhookBase}${path}`,
  requestHeaders: headers,
  requestBody: body,
  status,
  reason: STATUS_CODES[status] ?? '',
  headers: [],
  body: '',
  frames: undefined,
  cut: false,
})
