import { expect, test } from 'vitest'
import { canonicalCard } from './canonical-card.ts'
import type { AgentCard } from './card-types.ts'

const canonical = (card: object) => canonicalCard(card as AgentCard)

test("CARD-SIGNATURE: the specification's example has the form that it shows [CARD-SIGN-001]", () => {
  const fragment = {
    name: 'Example Agent',
    description: '',
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    skills: [],
  }
  expect(canonical(fragment)).toBe(
    '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
  )
})

test('CARD-SIGNATURE: signatures are left out of what is signed [CARD-SIGN-002]', () => {
  const signatures = [{ protected: 'a', signature: 'b' }]
  expect(canonical({ name: 'x', signatures })).toBe('{"name":"x"}')
})

test('CARD-SIGNATURE: the order of keys does not count, that of lists does', () => {
  const one = { name: 'x', skills: [{ id: '1', name: 'a' }, { id: '2' }] }
  expect(canonical({ skills: [{ name: 'a', id: '1' }, { id: '2' }], name: 'x' })).toBe(canonical(one))
  expect(canonical({ ...one, skills: one.skills.toReversed() })).not.toBe(canonical(one))
})

test.each([
  ['a list without entries', { securityRequirements: [] }],
  ['a map without entries', { securitySchemes: {} }],
  ['a tenant that is empty', { supportedInterfaces: [{ url: 'u', tenant: '' }] }],
  ['an extension that is not required', { capabilities: { extensions: [{ uri: 'u', required: false }] } }],
  ["a skill's empty list of examples", { skills: [{ id: 's', examples: [] }] }],
])('CARD-SIGNATURE: a default is left out where the proto has no presence: %s', (_, card) => {
  expect(canonical(card)).not.toMatch(/Requirements|Schemes|tenant|required|examples/)
})

test.each([
  ['an optional field', { iconUrl: '' }, '{"iconUrl":""}'],
  ['a required field', { skills: [{ id: '', tags: [] }] }, '{"skills":[{"id":"","tags":[]}]}'],
  ['a message', { provider: {} }, '{"provider":{}}'],
  [
    "an extension's own parameters",
    { capabilities: { extensions: [{ uri: 'u', params: { a: false, b: [], c: 1.0, d: 1e21 } }] } },
    '{"capabilities":{"extensions":[{"params":{"a":false,"b":[],"c":1,"d":1e+21},"uri":"u"}]}}',
  ],
  ['a field that is not known', { later: 7 }, '{"later":7}'],
  ['a field that is not known, and says nothing', { later: false }, '{"later":false}'],
])('CARD-SIGNATURE: what says something is kept: %s', (_, card, text) => {
  expect(canonical(card)).toBe(text)
})

test('CARD-SIGNATURE: keys and texts beyond ASCII are sorted and written as RFC 8785 says', () => {
  const params = {
    '\u20ac': 'Euro',
    '\r': 'CR',
    '\ufb33': 'Dalet',
    1: 'One',
    '\ud83d\ude00': 'Smiley',
    ö: 'o',
  }
  const card = { capabilities: { extensions: [{ params }] } }
  expect(canonical(card)).toBe(
    '{"capabilities":{"extensions":[{"params":{"\\r":"CR","1":"One","ö":"o","€":"Euro","😀":"Smiley","\ufb33":"Dalet"}}]}}',
  )
})
