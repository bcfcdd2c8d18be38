// Operators that are told apart: reading and deciding need a token, and what was decided has the name of who held it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { ask, asking } from './support/asking-agent.ts'
import { type BareAnswer, bare } from './support/bare-request.ts'
import { readableLog } from './support/log.ts'
import { startProbe } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const tokens = { ada: 'ada-0123456789-abc', bob: 'bob-0123456789:abc' }
const planner = 'planner-0123456789'
const shared = shareProbe({ agent: asking, operators: { tokens } })
const routes = [
  ['GET', '/approve'],
  ['GET', '/approve/ID'],
  ['POST', '/approve/ID'],
  ['POST', '/deny/ID'],
  ['POST', '/revoke/ID'],
] as const

const basic = (name: string, token: string) => `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`
const asPage = { Accept: 'text/html,application/xhtml+xml' }
const challenges = 'Bearer realm="test-agent operators", Basic realm="test-agent operators", charset="UTF-8"'

const at = (path: string, id: string) => shared.probe.url + path.replace('ID', id)
const decided = ({ text }: BareAnswer) => JSON.parse(text)

test.each(routes)('%s %s needs a token, and asks for it in both ways', async (method, path) => {
  const id = await ask(shared.probe)
  await shared.changesNothing(async () => {
    const asJson = await bare(at(path, id), { method })
    expect([asJson.status, asJson.headers['www-authenticate'], decided(asJson)]).toEqual([
      401,
      challenges,
      { error: expect.stringContaining('Authorization: Bearer') },
    ])
    const page = await bare(at(path, id), { method, headers: asPage })
    expect([page.status, page.headers['www-authenticate']]).toEqual([401, challenges])
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('Only operators may read and decide here.')
    expect(page.text).not.toContain(id)
  })
})

test.each([
  ['no operator’s token', 'Bearer nobody-0123456789'],
  ['a part of a token', `Bearer ${tokens.ada.slice(0, -1)}`],
  ['a token under another operator’s name', basic('bob', tokens.ada)],
  ['a token under no name', basic('', tokens.ada)],
  ['a name without its token', basic('ada', '')],
])('%s is refused, and what it was is not told', async (_, Authorization) => {
  const id = await ask(shared.probe)
  await shared.changesNothing(async () => {
    const answer = await bare(at('/approve/ID', id), {
      method: 'POST',
      headers: { Authorization },
      from: '127.0.0.7',
    })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenges])
    expect(answer.text).not.toContain(tokens.ada.slice(0, 8))
  })
})

test.each([
  ['ada', `Bearer ${tokens.ada}`],
  ['ada', `bearer  ${tokens.ada}`],
  ['ada', basic('ada', tokens.ada)],
  ['bob', basic('bob', tokens.bob)],
  ['bob', `Bearer ${tokens.bob}`],
])('what %s decides has that name, with %s', async (name, Authorization) => {
  const [one, other, third] = [
    await ask(shared.probe),
    await ask(shared.probe),
    await ask(shared.probe, { pause: 'before' }),
  ]
  const does = (path: string, id: string) =>
    bare(at(path, id), { method: 'POST', headers: { Authorization } })
  expect(decided(await does('/approve/ID', one))).toMatchObject({ outcome: 'approved', by: name })
  expect(decided(await does('/deny/ID', other))).toMatchObject({ outcome: 'denied', by: name })
  await does('/approve/ID', third)
  expect(decided(await does('/revoke/ID', third))).toMatchObject({ outcome: 'revoked', by: name })
  const read = decided(await bare(at('/approve/ID', other), { headers: { Authorization } }))
  expect(read).toMatchObject({ outcome: 'denied', decidedBy: name })
})

test('who may call may not decide, and who may decide may not call', async () => {
  const probe = await startProbe({ agent: asking, operators: { tokens }, callerTokens: { planner } })
  const id = await ask(probe, {}, { token: planner })
  const headers = { Authorization: `Bearer ${planner}` }
  expect((await bare(`${probe.url}/approve/${id}`, { method: 'POST', headers })).status).toBe(401)
  const { error } = await probe.call('JSONRPC', 'GetTask', { id }, { Authorization: `Bearer ${tokens.ada}` })
  expect(error?.reason).toBe('UNAUTHENTICATED')
})

test('after ten wrong tokens an address waits, with a right one too; others do not', async () => {
  const read = (token: string, from: string) =>
    bare(at('/approve', ''), { headers: { Authorization: `Bearer ${token}` }, from })
  for (let nth = 0; nth < 10; nth++) expect((await read(`wrong-${nth}`, '127.0.0.2')).status).toBe(401)
  for (const token of ['wrong', tokens.ada]) {
    const { status, headers, text } = await read(token, '127.0.0.2')
    expect([status, text]).toEqual([429, expect.stringContaining('Too many wrong tokens')])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  }
  expect((await read(tokens.ada, '127.0.0.3')).status).toBe(200)
})

test('behind a proxy that is trusted, wrong tokens are counted for whom it names', async () => {
  const settings = { trustProxy: ['127.0.0.1'] }
  const probe = await startProbe({ agent: asking, operators: { tokens }, settings })
  const read = (token: string, client: string) =>
    bare(`${probe.url}/approve`, {
      headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': client },
      from: '127.0.0.1',
    })
  for (let nth = 0; nth < 10; nth++) await read(`wrong-${nth}`, '203.0.113.1')
  expect((await read(tokens.ada, '203.0.113.1')).status).toBe(429)
  expect((await read(tokens.ada, '203.0.113.2')).status).toBe(200)
})

test('guesses that are sent at once are counted one by one', async () => {
  const guesses = Array.from({ length: 50 }, (_, nth) => (nth === 40 ? tokens.ada : `guess-${nth}`))
  const answers = await Promise.all(
    guesses.map((token) =>
      bare(at('/approve', ''), { headers: { Authorization: `Bearer ${token}` }, from: '127.0.0.4' }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 401)
  expect(refused).toHaveLength(10)
})

test('right tokens, and requests without one, are not counted', async () => {
  const headers = { Authorization: `Bearer ${tokens.ada}` }
  for (let nth = 0; nth < 15; nth++) {
    expect((await bare(at('/approve', ''), { from: '127.0.0.5' })).status).toBe(401)
    expect((await bare(at('/approve', ''), { headers, from: '127.0.0.5' })).status).toBe(200)
  }
})

test.each([
  ['beyond this machine', { host: '0.0.0.0' }, true],
  ['to this machine alone', {}, false],
  ['to a proxy', { host: '0.0.0.0', publicUrl: 'https://agents.example' }, false],
  ['to nobody by a token', { host: '0.0.0.0', operators: { anyoneMayApprove: true } }, false],
])('an agent that listens %s says whether tokens can be overheard', async (_, options, says) => {
  const { log, lines } = readableLog()
  await startProbe({ agent: asking, operators: { tokens }, log, ...options })
  expect(lines.some(({ level, msg }) => level === 40 && msg.includes('without TLS'))).toBe(says)
})

test('what the compose file lets anybody approve is published on this machine alone', () => {
  const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
  expect(compose).toContain('ANYONE_MAY_APPROVE: "true"')
  const ports = [...compose.matchAll(/^ +- "(.*):\$\{\w+:-\d+\}:\$\{/gm)].map(([, address]) => address)
  expect(ports).toEqual(Array(6).fill('127.0.0.1'))
})

test('the image has the files that it runs', () => {
  const run = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/scripts\/[\w.]+/g)!
  expect(run).toContain('scripts/health.mjs')
  const copied = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(copied).toEqual(expect.arrayContaining(run.map((file) => `!${file}`)))
})

test.each([
  ['0.0.0.0', {}, true],
  ['0.0.0.0', { tokens }, false],
  ['0.0.0.0', { anyoneMayApprove: true }, false],
  ['127.0.0.2', {}, false],
  ['localhost', {}, false],
])('an agent that listens on %s, with %j, refuses to start: %s', async (host, operators, refuses) => {
  const started = startProbe({ agent: asking, host, operators })
  if (refuses) await expect(started).rejects.toThrow(/on 0\.0\.0\.0, .* Set OPERATOR_TOKENS=name:token, or/)
  else expect((await started).port).toBeGreaterThan(0)
})
