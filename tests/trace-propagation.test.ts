// The trace of a task without OpenTelemetry: taken from `traceparent` or made, kept through waits and restarts, and passed on.
import { expect, test } from 'vitest'
import { type LogLine, readableLog } from './support/log.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { untilState } from './support/wait.ts'
import { local, pushTo, startWebhook } from './support/webhook.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`
const other = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-00'

const tracesOf = (lines: LogLine[], id: string) =>
  new Set(lines.filter(({ taskId }) => taskId === id).map(({ traceId }) => traceId))

test.each(bindings)(
  'the trace of the message over %s that made the task stays with it through an answer and a restart, and goes out with its push notifications',
  async (binding) => {
    const [{ log, lines }, webhook] = [readableLog(), await startWebhook()]
    const options = { settings: local, log }
    const before = await startProbe(options)
    const message = userMessage('ask; complete')
    const params = { message, configuration: pushTo(webhook) }
    const { result } = await before.call(binding, 'SendMessage', params, { traceparent })
    const { id } = result.task
    await before.close()
    const after = await startProbe({ ...options, dataDir: before.dataDir })
    const answer = { message: userMessage('so', { taskId: id }) }
    await after.call(binding, 'SendMessage', answer, { traceparent: other })
    await untilState(after, id, 'COMPLETED')
    await webhook.until('COMPLETED')
    const sent = webhook.received.map(({ headers }) => headers.traceparent)
    expect(new Set(sent)).toEqual(new Set([traceparent]))
    expect(tracesOf(lines, id)).toEqual(new Set([trace]))
  },
)

test('a task to which no trace is given, or one that is not valid, has one of its own', async () => {
  const [{ log, lines }, webhook] = [readableLog(), await startWebhook()]
  const probe = await startProbe({ settings: local, log })
  const made = new Set<string>()
  for (const given of [
    undefined,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `${traceparent}, ${other}`,
    "';--\t",
    'x'.repeat(9000),
  ]) {
    const params = { message: userMessage('complete'), configuration: pushTo(webhook) }
    const { result } = await probe.call(
      'JSONRPC',
      'SendMessage',
      params,
      given === undefined ? {} : { traceparent: given },
    )
    await webhook.until('COMPLETED', result.task.id)
    const sent = webhook.received.at(-1)!.headers.traceparent as string
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(tracesOf(lines, result.task.id)).toEqual(new Set([sent.slice(3, 35)]))
    made.add(sent)
  }
  expect(made.size).toBe(5)
  expect(made.has(traceparent)).toBe(false)
})
