// Traces with OpenTelemetry: one change through three agents, an approval and a restart is one trace, whose spans hang together.
import { expect, test } from 'vitest'
import { startChain } from './support/chain.ts'
import { type CollectedSpan, startCollector } from './support/collector.ts'
import { readableLog } from './support/log.ts'
import { ended, operate } from './support/operator.ts'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { answer, send } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

const [theirTrace, theirSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const traceparent = `00-${theirTrace}-${theirSpan}-01`

const now = () => BigInt(Date.now()) * 1_000_000n

/** The span and those above it, as far as they were collected: `service name`, from below. */
function pathOf(span: CollectedSpan | undefined, spans: CollectedSpan[]): string[] {
  if (!span) return []
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [`${span.service} ${span.name}`, ...(above ? pathOf(above, spans) : [String(span.parentSpanId)])]
}

test('one change is one trace through the three agents, across an approval and a restart, and no span lasts as long as a wait', async () => {
  const { endpoint, spans } = await startCollector()
  const chain = await startChain(() => ({ tracesEndpoint: endpoint }))
  const id = await chain.ship({ traceparent })
  await untilState(chain.planner, id, 'AUTH_REQUIRED')
  const waiting = now() + 5_000_000n // what is under way has ended by then
  const { result } = await until('a wait of a moment', async () => {
    const answer = await chain.deployer.call('JSONRPC', 'ListTasks', {})
    return now() > waiting + 20_000_000n && answer
  })
  await chain.restart('planner')
  await chain.restart('deployer')
  const restarted = now()
  await operate(chain.deployer, 'approve', result.tasks[0].id)
  expect((await ended(chain.planner, id)).status.state).toBe('TASK_STATE_COMPLETED')
  await Promise.all([chain.planner.close(), chain.reviewer.close(), chain.deployer.close()])

  const ours = spans.filter(({ name }) => !/^(GetTask|ListTasks)$/.test(name))
  expect(new Set(ours.map((span) => span.traceId))).toEqual(new Set([theirTrace]))
  expect(new Set(ours.map(({ service }) => service))).toEqual(
    new Set(['planner', 'code-reviewer', 'deployer']),
  )
  const deploy = ours.find(({ name }) => name === 'step:deploy')
  expect(pathOf(deploy, ours)).toEqual([
    'deployer step:deploy',
    'deployer turn',
    'deployer SendMessage',
    'planner SendMessage',
    'planner follow:deploy',
    'planner turn',
    'planner SendMessage',
    theirSpan,
  ])
  expect(
    pathOf(
      ours.find(({ name }) => name === 'authorize'),
      ours,
    ).slice(0, 3),
  ).toEqual(['deployer authorize', 'deployer turn', 'deployer SendMessage'])
  for (const moment of [waiting, restarted]) {
    expect(ours.filter(({ began, ended }) => began < moment && ended > moment)).toEqual([])
  }
  expect(deploy!.began > restarted, 'the deploy is after the approval').toBe(true)
  // The planner's watch finds the deployer away for a moment, or its task ended.
  const failed = ours.filter(({ name, error }) => error !== undefined && name !== 'SubscribeToTask')
  expect(failed.map(({ name }) => name)).toEqual([])
})

test('what comes without a trace begins one, an answer of another trace is linked, and a refusal says only its name', async () => {
  const { endpoint, spans, bodies } = await startCollector()
  const probe = await startProbe({ tracesEndpoint: endpoint })
  const task = await send(probe, 'ask')
  const headers = { traceparent }
  const message = userMessage('secret words', { taskId: task.id })
  await probe.call('JSONRPC', 'SendMessage', { message }, headers)
  await untilState(probe, task.id, 'COMPLETED')
  expect((await answer(probe, task.id, 'once more')).error?.code).toBe(-32004)
  await probe.close()

  const named = (name: string) => spans.filter((span) => span.name === name)
  const [made, answered, refused] = named('SendMessage')
  expect(made!.parentSpanId ?? '').toBe('')
  expect(made!.attributes).toMatchObject({ 'a2a.task.id': task.id, 'a2a.binding': 'JSONRPC' })
  expect([answered!.traceId, answered!.parentSpanId]).toEqual([theirTrace, theirSpan])
  expect(answered!.links.map(({ traceId }) => traceId)).toEqual([made!.traceId])
  expect(refused!.error).toBe('UnsupportedOperationError')
  expect(named('turn').map(({ parentSpanId }) => parentSpanId)).toEqual([made!.spanId, made!.spanId])
  expect(
    named('ask').map(({ traceId }) => traceId),
    'the recorded answer is no second span',
  ).toEqual([made!.traceId])
  expect(bodies.join()).not.toContain('secret words')
})

test('a collector that takes nothing holds up nothing, and the log says so', async () => {
  const { endpoint } = await startCollector(400)
  const { log, lines } = readableLog()
  const probe = await startProbe({ tracesEndpoint: endpoint, log })
  for (const binding of bindings) {
    const { error } = await probe.call(binding, 'SendMessage', { message: userMessage('complete') })
    expect(error).toBeUndefined()
  }
  await probe.close()
  expect(lines.map(({ msg }) => msg)).toContain('Traces could not be sent to their collector.')
})
