// Nothing but an operator's own act decides: no page of another site or of a name that was turned to this machine, no frame, no link.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, asking } from './support/asking-agent.ts'
import { bare } from './support/bare-request.ts'
import { startProbe } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'

const operators = { allowedHosts: ['Agents.Internal'] }
const shared = shareProbe({ agent: asking, operators, publicUrl: 'https://agents.example/deployer' })
const here = () => `http://127.0.0.1:${shared.probe.port}`
const asPage = { Accept: 'text/html' }

// The probe's address is the public one, which nobody serves here.
const asked = async (): Promise<string> => {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data: {} }] }
  const headers = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ message })
  const answer = await bare(`${here()}/a2a/message:send`, { method: 'POST', headers, body })
  return JSON.parse(answer.text).task.id
}
/** What was decided on it; undefined while nothing is. */
const outcomeOf = async (id: string): Promise<string | undefined> =>
  JSON.parse((await bare(`${here()}/approve/${id}`)).text).outcome

const foreign = ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b']

test.each(foreign)('under the host name "%s" an operator’s route reads and decides nothing', async (host) => {
  const id = await asked()
  for (const [method, path] of [
    ['GET', '/approve'],
    ['GET', `/approve/${id}`],
    ['POST', `/approve/${id}`],
    ['POST', `/deny/${id}`],
    ['POST', `/revoke/${id}`],
  ] as const) {
    const json = await bare(here() + path, { method, headers: { Host: host } })
    expect([json.status, json.text]).toEqual([421, expect.stringContaining('ALLOWED_HOSTS')])
    const page = await bare(here() + path, { method, headers: { Host: host, ...asPage } })
    expect([page.status, page.headers['content-type']]).toEqual([421, expect.stringContaining('text/html')])
    expect(page.text).not.toContain(id)
  }
  expect(await outcomeOf(id)).toBeUndefined()
})

test.each([
  'localhost',
  'LOCALHOST.',
  '127.0.0.1:1',
  '[::1]:80',
  '10.1.2.3',
  'agents.example',
  'agents.internal:8',
])('under %s an operator decides', async (host) => {
  const answer = await bare(`${here()}/approve/${await asked()}`, { method: 'POST', headers: { Host: host } })
  expect(answer.status).toBe(200)
})

test('of an agent that this machine alone reaches, nothing is answered under another host name, in each form', async () => {
  const headers = { Host: 'evil.example', 'A2A-Version': '1.0', 'Content-Type': 'application/json' }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })
  const rpc = await bare(`${here()}/a2a`, { method: 'POST', headers, body: call })
  expect([rpc.status, JSON.parse(rpc.text).error.data[0].reason]).toEqual([421, 'WRONG_HOST'])
  for (const path of ['/a2a/tasks', '/.well-known/agent-card.json', '/openapi.json', '/health', '/nowhere']) {
    const { status, text } = await bare(here() + path, { headers })
    expect([path, status, JSON.parse(text).error.details[0].reason]).toEqual([path, 421, 'WRONG_HOST'])
  }
})

test('an agent that others reach answers its clients under any name, and its operators under its own', async () => {
  const probe = await startProbe({ agent: asking, host: '0.0.0.0', operators: { anyoneMayApprove: true } })
  const headers = { Host: 'deployer.internal', 'A2A-Version': '1.0' }
  const id = await ask(probe)
  expect((await bare(`${probe.url}/a2a/tasks/${id}`, { headers })).status).toBe(200)
  expect((await bare(`${probe.url}/approve/${id}`, { headers })).status).toBe(421)
})

const site = (name: string) => ({ 'Sec-Fetch-Site': name })
test.each<[what: string, status: number, headers: (port: number) => Record<string, string>]>([
  ['no browser', 200, () => ({})],
  ['the agent’s own page', 200, (port) => ({ Origin: `http://127.0.0.1:${port}`, ...site('same-origin') })],
  [
    'the agent’s own page, in a browser that tells no site',
    200,
    (port) => ({ Origin: `http://127.0.0.1:${port}` }),
  ],
  ['the agent’s own page at a proxy, which tells no host', 200, () => ({ Origin: 'https://agents.example' })],
  ['a page of another site', 403, () => ({ Origin: 'https://evil.example', ...site('cross-site') })],
  ['a page of another port', 403, () => ({ Origin: 'http://127.0.0.1:3000', ...site('same-site') })],
  [
    'a page on an address without a name, where no site is told',
    403,
    () => ({ Origin: 'http://203.0.113.7' }),
  ],
  ['a page of another port, where no site is told', 403, () => ({ Origin: 'http://127.0.0.1:3000' })],
  ['a page that a redirect led here', 403, () => ({ Origin: 'null' })],
  ['a page without an origin', 403, () => ({ Origin: 'null', ...site('same-origin') })],
  [
    'a page whose name was turned here',
    403,
    (port) => ({ Origin: `http://evil.example:${port}`, ...site('same-origin') }),
  ],
  ['a site that is not told of the page', 403, () => site('cross-site')],
])('%s: %i', async (_, status, headers) => {
  const id = await asked()
  for (const verb of status === 200 ? ['approve'] : ['approve', 'deny', 'revoke']) {
    const answer = await bare(`${here()}/${verb}/${id}`, {
      method: 'POST',
      headers: headers(shared.probe.port),
    })
    expect(answer.status).toBe(status)
  }
  expect(await outcomeOf(id)).toBe(status === 200 ? 'approved' : undefined)
})

test.each(['text/plain', 'multipart/form-data; boundary=x', 'text/html', 'application/x-www-form'])(
  'a body that a page of any site can send decides nothing: %s',
  async (type) => {
    const id = await asked()
    const headers = { 'Content-Type': type }
    for (const verb of ['approve', 'deny', 'revoke']) {
      const { status } = await bare(`${here()}/${verb}/${id}`, { method: 'POST', headers, body: '{}' })
      expect(status).toBe(415)
    }
    expect(await outcomeOf(id)).toBeUndefined()
  },
)

test('what is loaded ahead or looked at decides nothing, whatever its address', async () => {
  const id = await asked()
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of [`/approve/${id}`, `/deny/${id}`, `/revoke/${id}?digest=${'0'.repeat(64)}`]) {
      const headers = { 'Sec-Purpose': 'prefetch;prerender', Purpose: 'prefetch' }
      const { status } = await bare(here() + path, { method, headers })
      const reads = method === 'GET' || method === 'HEAD'
      const answer = path.startsWith('/approve') ? 200 : 303
      expect([method, path, status]).toEqual([method, path, reads ? answer : 404])
    }
  }
  expect(await outcomeOf(id)).toBeUndefined()
})

test('an answer that is no page allows a browser nothing at all', async () => {
  for (const path of ['/approve', '/approve/none']) {
    expect((await bare(here() + path)).headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('no page can be framed, run a script, be stored, or tell where it came from', async () => {
  const id = await asked()
  const answers = [
    await bare(`${here()}/approve`, { headers: asPage }),
    await bare(`${here()}/approve/${id}`, { headers: asPage }),
    await bare(`${here()}/approve/none`, { headers: asPage }),
    await bare(`${here()}/deny/${id}`, { method: 'POST', headers: { ...asPage, Origin: 'null' } }),
    await bare(`${here()}/deny/${id}`, { method: 'POST', headers: asPage }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 403, 303])
  expect(answers[3]!.text).toContain(`<a href="./../approve/${id}">`)
  for (const { headers, text } of answers) {
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text)!
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(text).not.toMatch(/<script|\son\w+=|style="|javascript:/i)
  }
})
