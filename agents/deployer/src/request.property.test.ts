// Whatever a message says: it is a request, or what is wrong with it is said; nothing in it ever counts as an approval.
import { type Message, TaskError } from '@a2a-kit/task-core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asksForBuilds, parseDeployRequest, readReply } from './request.ts'

const words = [
  ...[
    'deploy',
    'build',
    'of',
    'from',
    'to',
    'the',
    'use',
    'staging',
    'production',
    'payments-api',
    '2026.10.06-1',
  ],
  ...[
    'v1.2',
    'approved',
    'approve',
    'yes',
    'ok',
    'no',
    'stop',
    '.',
    '-',
    '+',
    '\n',
    '',
    '__proto__',
    'constructor',
  ],
]
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...words)).map((all) => all.join(' ')),
)
const data = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(
    fc.constantFrom('build', 'environment', 'repository', '__proto__'),
    fc.oneof(text, fc.jsonValue()),
  ),
)
const messages = fc
  .array(
    fc.oneof(
      text.map((said) => ({ text: said })),
      data.map((value) => ({ data: value })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => ({ messageId: 'm', role: 'ROLE_USER', parts }) as Message)

const known = { builds: ['2026.10.05-2', '2026.10.06-1'], environments: ['staging', 'production'] }
const waiting = { build: '2026.10.06-1', environment: 'staging' }

test('whatever a message says, it names a build and an environment, or is told what is missing', () => {
  fc.assert(
    fc.property(messages, (message) => {
      asksForBuilds(message)
      try {
        const { build, environment } = parseDeployRequest(message)
        expect([typeof build, typeof environment]).toEqual(['string', 'string'])
        expect(build && environment).toBeTruthy()
      } catch (error) {
        if (!(error instanceof TaskError)) throw error
      }
    }),
    { numRuns: 500 },
  )
})

test('whatever a message to a deploy that waits says, it corrects, withdraws or changes nothing: it approves nothing', () => {
  fc.assert(
    fc.property(messages, (message) => {
      try {
        const reply = readReply(message, waiting, known)
        expect(['withdrawn', 'corrected', 'other']).toContain(reply.outcome)
        if (reply.outcome === 'corrected') expect(reply.request).not.toEqual(waiting)
      } catch (error) {
        if (!(error instanceof TaskError)) throw error
      }
    }),
    { numRuns: 500 },
  )
})

// With a pattern that begins anew at each character of the run, this would take hours.
test.each(['.', '-', '+', '+.-'])('a megabyte of "%s" inside a word is read like any other word', (run) => {
  const long = `${run.repeat(1_000_000 / run.length)}x`
  const said = (text: string): Message => ({ messageId: 'm', role: 'ROLE_USER', parts: [{ text }] })
  expect(parseDeployRequest(said(`deploy 1${long} to staging`)).build).toBe(`1${long}`)
  expect(readReply(said(long), waiting, known)).toEqual({ outcome: 'other' })
})
