import type { Json } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { compareBodies, compareHeaders, faultIn } from './compare.ts'
import { createTwins } from './twins.ts'

const one = 'e5c95b09-6d4b-4b3b-8693-91e81472d12f'
const other = '49c5a238-4158-455d-8d63-b2cb39c0ecac'
const here = '01a22cb9-6ff8-7242-8a0c-8a08f6f16602'
const protectedBy = (port: number) =>
  Buffer.from(JSON.stringify({ alg: 'EdDSA', jku: `http://localhost:${port}/jwks.json` })).toString(
    'base64url',
  )

const faultsIn = (recorded: Json, live: Json, twins = createTwins()) =>
  compareBodies(recorded, live, twins)
    .filter(({ reason }) => reason === undefined)
    .map(({ path }) => path.join('.'))

describe('what differs by nature is no fault', () => {
  test.each<[string, Json, Json]>([
    ['an id', { taskId: one }, { taskId: here }],
    ['an id within a text', { text: `Task ${one} waits.` }, { text: `Task ${here} waits.` }],
    ['a time', { timestamp: '2026-10-06T09:00:00.500Z' }, { timestamp: '2027-01-02T03:04:05.678Z' }],
    ['an address', { url: 'http://localhost:41243/a2a' }, { url: 'http://localhost:29394/a2a' }],
    ['a release', 'environments/x/releases/1.0-b8e278dd3505', 'environments/x/releases/1.0-040372d34487'],
    ['what was there before', { previousBuild: null }, { previousBuild: '2026.10.06-1' }],
    ['words for that', 'Deployed, as the first build there.', 'Deployed, in place of 2026.10.06-1.'],
    ['a page token', { nextPageToken: 'MTc5' }, { nextPageToken: 'MTgw' }],
    ['a signature', { signature: 'a'.repeat(86) }, { signature: 'b'.repeat(86) }],
    ['what a signature protects', { protected: protectedBy(41243) }, { protected: protectedBy(29394) }],
  ])('%s', (_, recorded, live) => {
    const findings = compareBodies(recorded, live, createTwins())
    expect(findings).toHaveLength(1)
    expect(findings[0]!.reason).toBeTruthy()
  })

  test('a header that says when something changed, and its tag', () => {
    const recorded: [string, string][] = [
      ['ETag', '"4ca8c0"'],
      ['Last-Modified', 'Tue, 06 Oct 2026 09:00:00 GMT'],
    ]
    const live: [string, string][] = [
      ['last-modified', 'Sat, 02 Jan 2027 03:04:05 GMT'],
      ['etag', '"a958d6"'],
      ['date', 'Sat, 02 Jan 2027 03:04:05 GMT'],
    ]
    expect(faultIn(compareHeaders(recorded, live, createTwins()))).toBeUndefined()
  })
})

describe('everything else is a fault, at its path', () => {
  test.each<[string, Json, Json, string[]]>([
    ['a renamed field', { a: { state: 1 } }, { a: { status: 1 } }, ['a.state', 'a.status']],
    ['a changed number', { list: [1, 2] }, { list: [1, 3] }, ['list.1']],
    ['an element more', { list: [1] }, { list: [1, 2] }, ['list.1']],
    ['an element less', { list: [1, 2] }, { list: [1] }, ['list.1']],
    ['an object for a list', { list: [] }, { list: {} }, ['list']],
    ['null for nothing', { a: 1, b: null }, { a: 1 }, ['b']],
    ['another text', 'It waits.', 'It waits!', ['']],
    ['a text around an id', `Task ${one} waits.`, `Task ${here} waited.`, ['']],
    ['an id that is none', { taskId: one }, { taskId: 'task-1' }, ['taskId']],
    ['a time in another form', '2026-10-06T09:00:00.500Z', '2026-10-06T09:00:00Z', ['']],
    [
      'no page token where there was one',
      { nextPageToken: 'MTc5' },
      { nextPageToken: '' },
      ['nextPageToken'],
    ],
    ['another checksum', `sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`, ['']],
    [
      'another algorithm',
      { protected: protectedBy(1) },
      { protected: 'eyJhbGciOiJIUzI1NiJ9' },
      ['protected'],
    ],
  ])('%s', (_, recorded, live, paths) => {
    expect(faultsIn(recorded, live)).toEqual(paths)
  })

  test('a header that is missing, added or other', () => {
    const recorded: [string, string][] = [
      ['content-type', 'application/json'],
      ['vary', 'A2A-Version'],
    ]
    const live: [string, string][] = [
      ['content-type', 'text/html'],
      ['allow', 'GET'],
    ]
    const paths = compareHeaders(recorded, live, createTwins()).map(({ path }) => path[0])
    expect(paths).toEqual(['content-type', 'vary', 'allow'])
  })
})

describe('an id has one twin', () => {
  test('so two recorded ids are not one live id, nor one recorded id two', () => {
    expect(faultsIn([one, other], [here, here])).toEqual(['1'])
    expect(faultsIn([one, one], [here, other])).toEqual(['1'])
    expect(faultsIn([one, { text: `It is ${one}.` }], [here, { text: `It is ${here}.` }])).toEqual([])
  })

  test('and is sent as that, whatever it stands in', () => {
    const twins = createTwins()
    twins.pair('msg-1', 'msg-1-a9175e')
    compareBodies(
      { id: one, at: '2026-10-06T09:00:00.500Z' },
      { id: here, at: '2027-01-02T03:04:05.678Z' },
      twins,
    )
    expect(twins.translate(`/tasks/${one}?after=2026-10-06T09:00:00.500Z&first=msg-1&last=msg-10`)).toBe(
      `/tasks/${here}?after=2027-01-02T03:04:05.678Z&first=msg-1-a9175e&last=msg-10`,
    )
  })

  test('a fork learns on its own, and what was saved is known again', () => {
    const twins = createTwins()
    twins.fork().pair(one, here)
    expect(twins.live(one)).toBeUndefined()
    twins.pair(one, here)
    expect(createTwins(twins.save()).live(one)).toBe(here)
  })
})
