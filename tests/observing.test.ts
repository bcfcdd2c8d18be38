// The page about seeing inside: its commands are run, its metrics are those that there are, and the README names every variable.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { startChild } from './support/child.ts'
import { startCollector } from './support/collector.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { userMessage } from './support/probe.ts'
import { until } from './support/wait.ts'

const page = readFileSync(join(root, 'docs/observing.md'), 'utf8')
const firstCells = (text: string) => [...text.matchAll(/^\| `(\w+)`/gm)].map(([, cell]) => cell!)

test('a process that is set up as the page says is ready, has the metrics of the page, and sends traces when it ends', async () => {
  const { endpoint, spans } = await startCollector()
  const [health, start, metrics] = blocksOf('docs/observing.md', 'sh')
  const [, token] = /^METRICS_TOKEN=(\S+) npm start\n$/.exec(start!.text)!
  const env = { METRICS_TOKEN: token, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, LOG_LEVEL: 'debug' }
  const child = await startChild({ env })
  const others = { 41241: new URL(child.url).port }
  await until('that it is ready', async () => (await fetch(`${child.url}/ready`)).ok)
  const said = await run(withOthers(health!, others)).ended
  expect(said.match(/"(ok|ready)"/g)).toEqual(['"ok"', '"ready"'])
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await child.call('JSONRPC', 'SendMessage', { message: userMessage('complete') }, { traceparent })
  await child.call('JSONRPC', 'GetTask', { id: 'nothing' }, { traceparent })
  const shown = await run(withOthers(metrics!, others)).ended
  const names = [...shown.matchAll(/^# TYPE (a2a_\w+)/gm)].map(([, name]) => name!)
  expect(firstCells(page.split('## Metrics')[1]!.split('## OpenTelemetry')[0]!).sort()).toEqual(names.sort())
  expect(shown).toContain('a2a_tasks{state="TASK_STATE_COMPLETED"} 1')

  expect(await child.end('SIGTERM')).toBe(0)
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['4bf92f3577b34da6a3ce929d0e0e4736']))
  const lines = child
    .log()
    .split('\n')
    .filter((line) => line.includes('4bf92f3577b34da6a3ce929d0e0e4736'))
  const refused = lines.map((line) => JSON.parse(line)).find(({ reason }) => reason)
  expect(firstCells(page.split('## One trace')[0]!).slice(0, 3)).toEqual(['level', 'time', 'msg'])
  expect(refused).toMatchObject({ level: 20, time: expect.any(Number), msg: expect.any(String) })
  expect(refused).toMatchObject({ name: 'conformance', reason: 'TaskNotFoundError', binding: 'JSONRPC' })
})

test('every variable that the configuration reads is in the table of the README', () => {
  const folder = join(root, 'shared/task-core/src/configuration')
  const files = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'))
  const code = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const read = new Set([...code.matchAll(/\bvalues\.([A-Z][A-Z_]+)/g)].map(([, name]) => name!))
  expect(read.size).toBeGreaterThan(20)
  const table = readFileSync(join(root, 'README.md'), 'utf8').split('## Configuration')[1]!
  expect([...read].filter((name) => !new RegExp(`^\\|[^|]*\`${name}\``, 'm').test(table))).toEqual([])
})
