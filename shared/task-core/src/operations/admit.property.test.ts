// Whatever stands in the headers: a call is admitted for its version and its caller, or refused as the protocol says.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { A2AError, type AgentCard, kitExtensions } from '../protocol/index.ts'
import { createAdmit } from './admit.ts'

const tokens = { first: 'first-caller-0123456789', second: 'second-caller-0123456789' }
const card = { capabilities: { extensions: [...kitExtensions] } } as unknown as AgentCard
const admit = createAdmit(card, { callerTokens: tokens })

const version = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '1.0',
    ' 1.0 ',
    '1.0.7',
    '0.3',
    '0.3.1',
    '1',
    '1.00',
    '1.0.',
    '01.0',
    '2.0',
    '١.٠',
    '1.0\n',
  ),
  fc.string({ unit: 'binary' }),
)
const uris = fc.array(
  fc.oneof(fc.constantFrom(...kitExtensions.map(({ uri }) => uri)), fc.string({ unit: 'binary' })),
)
const authorization = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('Bearer ', 'bearer  ', 'Basic ', 'Bearer', ''),
      fc.constantFrom(...Object.values(tokens), 'x'),
      fc.constantFrom('', ' ', ' x', '\n'),
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.constant(undefined),
)

test('whatever the headers say, only the versions, extensions and tokens that there are let a call in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(version, { maxLength: 3 }),
      fc.array(
        uris.map((all) => all.join(',')),
        { maxLength: 2 },
      ),
      authorization,
      fc.constantFrom('1.0' as const, '0.3' as const),
      async (versions, extensions, given, served) => {
        const call = { versions, extensions, authorization: given, lastEventId: '3' }
        try {
          const admitted = await admit(call, served)
          const named = versions.map((one) => one.trim()).filter(Boolean)
          for (const one of named)
            expect(one).toMatch(served === '1.0' ? /^1\.0(\.[0-9]+)?$/ : /^0\.3(\.[0-9]+)?$/)
          if (served === '1.0') expect(named).not.toEqual([])
          expect(given).toContain(tokens[admitted.caller.id as keyof typeof tokens])
          for (const uri of admitted.extensions) expect(extensions.join()).toContain(uri)
          expect('lastEventId' in admitted).toBe(admitted.extensions.includes('urn:a2a-kit:replay:1'))
        } catch (error) {
          if (!(error instanceof A2AError)) throw error
          expect(['VersionNotSupportedError', 'UnauthenticatedError']).toContain(error.name)
          for (const token of Object.values(tokens)) expect(error.message).not.toContain(token)
        }
      },
    ),
    { numRuns: 300 },
  )
})
