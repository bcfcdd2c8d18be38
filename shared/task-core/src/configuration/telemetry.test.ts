import { expect, test } from 'vitest'
import { readConfiguration } from './index.ts'

const read = (env: NodeJS.ProcessEnv) => readConfiguration(env, { port: 1 })

test('nothing of the inside is told unless it is switched on', () => {
  expect(read({})).toMatchObject({ metricsToken: undefined, tracesEndpoint: undefined })
  const set = { METRICS_TOKEN: 'x'.repeat(16), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  expect(read(set)).toMatchObject({
    metricsToken: set.METRICS_TOKEN,
    tracesEndpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
  })
})

test.each([
  ['METRICS_TOKEN', 's3cret', 'must have 16 characters or more'],
  ['METRICS_TOKEN', `s3cret ${'x'.repeat(16)}`, 'none of them a space'],
  ['METRICS_TOKEN', `s3cret\r\n${'x'.repeat(16)}`, 'none of them a space'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'must be the address of a collector'],
])('%s is not %j, and the text says why without it', (name, value, why) => {
  expect(() => read({ [name]: value })).toThrow(why)
  expect(() => read({ [name]: value })).not.toThrow('s3cret')
})
