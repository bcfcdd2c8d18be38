import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

const properties = {
  DATA_DIR: { type: 'string', minLength: 1, default: 'data' },
  HOST: { type: 'string', minLength: 1 },
  LOG_FORMAT: { type: 'string', enum: ['json', 'pretty'] },
  PORT: { type: 'integer', minimum: 0, maximum: 65535 },
  STREAMS: { type: 'boolean', default: false },
  ALLOWED_HOSTS: { type: 'string', pattern: '^[a-z]+$' },
} as const

test('variables are read to their types, those that are not set to their defaults, and others not at all', () => {
  const env = { PORT: '8080', STREAMS: 'true', LOG_FORMAT: 'pretty', ALLOWED_HOSTS: 'a', PATH: '/bin' }
  expect(readEnvironment(env, properties)).toEqual({
    DATA_DIR: 'data',
    LOG_FORMAT: 'pretty',
    PORT: 8080,
    STREAMS: true,
    ALLOWED_HOSTS: 'a',
  })
})

test('what an editor leaves around a number does not count', () => {
  expect(readEnvironment({ PORT: ' 8080\r' }, properties)).toMatchObject({ PORT: 8080 })
})

test.each([
  ['PORT', '', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', ' ', 'PORT must be a whole number from 0 to 65535'],
  ['PORT', '80.5', 'PORT must be a whole number'],
  ['PORT', '-1', 'PORT must be a whole number'],
  ['PORT', '65536', 'PORT must be a whole number'],
  ['PORT', 'http', 'PORT must be a whole number'],
  ['STREAMS', 'yes', 'STREAMS must be true or false'],
  ['LOG_FORMAT', 'xml', 'LOG_FORMAT must be one of json, pretty'],
  ['HOST', '', 'HOST must not be empty'],
  ['ALLOWED_HOSTS', 'a b', 'ALLOWED_HOSTS must be host names such as'],
])('%s is not "%s"', (name, value, why) => {
  expect(() => readEnvironment({ [name]: value }, properties)).toThrow(`the environment variable ${why}`)
})

test('all variables at fault are told at once', () => {
  expect(() => readEnvironment({ PORT: 'x', STREAMS: 'x' }, properties)).toThrow(
    'the environment variable PORT must be a whole number from 0 to 65535; the environment variable STREAMS must be true or false',
  )
})
