// A receiver of push notifications in a scenario: each delivery that arrives is recorded as an exchange.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pairs, type Recorder } from './recorder.ts'

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
  let turn = Promise.resolve()

  const server = createServer((request, response) => {
    turn = turn.then(async () => {
      const body = await textOf(request)
      // One thing at a time: what was asked first is answered first, and then this has happened.
      await recorder.until(() =>
        recorder.exchanges.every(({ frames, endedAt }) => frames || endedAt !== undefined),
      )
      const status = answers[arrived] ?? 204
      response.writeHead(status).end()
      arrived += 1
      recorder.add({
        from,
        method: 'POST',
        url: `${webhookBase}${request.url}`,
        requestHeaders: pairs(request.rawHeaders),
        requestBody: body,
        status,
        reason: response.statusMessage,
        headers: [],
        body: '',
        frames: undefined,
        cut: false,
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    deliveries: (count) => recorder.until(() => arrived >= count),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
