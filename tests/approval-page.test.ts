// What an operator reads: the list of what waits, and the page of a request in each state that it can come to.
import { type Approval, realWorld } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { type Asked, ask, asking } from './support/asking-agent.ts'
import { ended, operate, shown } from './support/operator.ts'
import { type Probe, startProbe, userMessage } from './support/probe.ts'
import { shareProbe } from './support/shared-probe.ts'
import { untilState } from './support/wait.ts'

let ahead = 0
const world = { ...realWorld, now: () => Date.now() + ahead }
const shared = shareProbe({ agent: asking, world })

/** The page at `path`, as text: without its style, tags, and spaces in a row. */
async function read(path: string, probe: Probe = shared.probe, sent: RequestInit = {}) {
  const answer = await fetch(probe.url + path, { ...sent, headers: { Accept: 'text/html' } })
  const markup = await answer.text()
  const text = markup
    .replace(/<style>.*<\/style>|<[^>]*>/gs, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1')
  return { status: answer.status, markup, text }
}
const pageOf = (id: string, digest?: unknown) => read(`/approve/${id}${digest ? `?digest=${digest}` : ''}`)
/** What the form of the page sends, and where that leads. */
const decideAsPerson = (verb: string, id: string, digest: unknown) =>
  read(`/${verb}/${id}`, shared.probe, { method: 'POST', body: new URLSearchParams({ digest: `${digest}` }) })
const asked = (what: Asked = {}, taskId?: string) => ask(shared.probe, what, taskId ? { taskId } : {})

test('a request that waits: what, by whom, until when, what comes of it, and the ways out', async () => {
  const id = await asked({ operation: { action: 'deploy', build: 7 }, words: 'Deploy build 7?' })
  const { digest, expiresAt } = await shown(shared.probe, id)
  const { text, markup } = await pageOf(id)
  expect(text).toMatch(/test-agent asks for your approval/)
  expect(text).toMatch(
    /It waits until \d+ \w+ 2\d{3} at \d\d:\d\d:\d\d UTC, for 23 hours and 59 minutes more\./,
  )
  expect(markup).toContain(`<time datetime="${expiresAt}">`)
  expect(text).toContain('What would be done action deploy build 7 An approval covers exactly this, once.')
  expect(text).toContain(`Its digest is ${digest}`)
  expect(text).toContain('Nobody was identified. This agent takes tasks from whoever reaches it')
  expect(text).toContain('in words that are not this page’s Deploy build 7?')
  for (const way of ['Approve: ', 'Deny: ', 'Leave: ']) expect(text).toContain(way)
  const forms = [...markup.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)]
  expect(forms.map(([, action]) => action)).toEqual([`./../approve/${id}`, `./../deny/${id}`])
  for (const [form] of forms) expect(form).toContain(`<input type="hidden" name="digest" value="${digest}">`)
})

test.each([
  [
    'denied',
    'Denied',
    { reason: 'Not on a Friday.' },
    'It was denied by operator on .* The reason: Not on a Friday',
  ],
  [
    'approved',
    'Approved, and used',
    {},
    'It was approved by operator on .* began on .* cannot be revoked any more',
  ],
] as const)('a request that was %s says by whom, when and why', async (outcome, heading, body, words) => {
  const id = await asked()
  await operate(shared.probe, outcome === 'approved' ? 'approve' : 'deny', id, body)
  await ended(shared.probe, id)
  const { text, markup } = await pageOf(id)
  expect(text).toContain(heading)
  expect(text).toMatch(new RegExp(words))
  expect(text).toMatch(/The task (has completed|was rejected)\./)
  expect(markup).not.toContain('<form')
})

test('an approval that is not used yet can be revoked there, and then says that it was', async () => {
  const id = await asked({ pause: 'before' })
  await operate(shared.probe, 'approve', id)
  await untilState(shared.probe, id, 'INPUT_REQUIRED')
  const { text, markup } = await pageOf(id)
  expect(text).toMatch(
    /As of .* UTC, what was approved has not begun: until it begins, you can revoke it\. The task goes on: it waits for an answer/,
  )
  expect(markup).toContain(`action="./../revoke/${id}"`)
  expect((await shown(shared.probe, id)).revoke).toBe(`POST ${shared.probe.url}/revoke/${id}`)
  await operate(shared.probe, 'revoke', id, { reason: 'wrong build' })
  const after = await pageOf(id)
  expect(after.text).toMatch(/It was approved, and revoked by operator on .* The reason: wrong build/)
  expect(after.markup).not.toContain('<form')
})

test('while the agent works on what comes before, no revoke is promised that may be over when it is read', async () => {
  const before = gate()
  const agent = testAgent(async (task) => {
    const decision = await task.authorize({ operation: { action: 'deploy' }, explain: String })
    await task.step('look', before.pass)
    if (decision.outcome === 'denied') return await task.reject(decision.reason)
    await task.step('act', () => true, { approval: decision as Approval })
  })
  const probe = await startProbe({ agent })
  const id = await ask(probe)
  const { text, markup } = await read(`/approve/${id}`, probe, { method: 'POST' })
  expect(text).toMatch(/As of .* had not begun, but the agent is at work and may have begun it by now\./)
  expect(markup).toContain(`action="./../revoke/${id}"`)
  const denied = await read(`/deny/${await ask(probe)}`, probe, { method: 'POST' })
  expect(denied.text).toMatch(/It was denied .* whoever asked is told so\. What was asked for/)
  before.open()
  await ended(probe, id)
  expect((await read(`/approve/${id}`, probe)).text).toMatch(/began on .*, so it cannot be revoked any more/)
})

test('an approval that is used while its task goes on cannot be revoked', async () => {
  const id = await asked({ pause: 'after' })
  await operate(shared.probe, 'approve', id)
  await untilState(shared.probe, id, 'INPUT_REQUIRED')
  const { text, markup } = await pageOf(id)
  expect(text).toContain('Approved, and used')
  expect(markup).not.toContain('<form')
  expect(await shown(shared.probe, id)).toMatchObject({ usedAt: expect.any(String) })
})

test('a request that was changed says so, leads to what is asked now, and is decided by neither form', async () => {
  const id = await asked({ operation: { deploy: 'north' } })
  const { digest: north } = await shown(shared.probe, id)
  await asked({ operation: { deploy: 'south' } }, id)
  const { digest: south, approve } = await shown(shared.probe, id)
  expect(approve).toBe(`POST ${shared.probe.url}/approve/${id}?digest=${south}`)
  const { text, markup } = await pageOf(id, north)
  expect(text).toContain('No longer asked for')
  expect(text).toContain('deploy north')
  expect(markup).toContain(`href="./../approve/${id}?digest=${south}"`)
  expect(markup).not.toContain('<form')
  const now = await pageOf(id)
  expect(now.text).toContain('deploy south')
  expect(now.markup).toContain(`name="digest" value="${south}"`)
  expect(now.text).toContain('This task asked for something else before; this is what it asks for now.')
  expect(now.markup).toContain(`href="./../approve/${id}?digest=${north}"`)
  expect((await pageOf(id, south)).text).not.toContain('something else')
  const late = await decideAsPerson('approve', id, north)
  expect(late).toMatchObject({ status: 409, text: expect.stringContaining('has changed since you read it') })
  await operate(shared.probe, 'deny', id)
  await ended(shared.probe, id)
  expect((await pageOf(id)).text).toMatch(
    /It was denied .* This task asked for something else too\. .*deploy south/,
  )
})

test.each([
  ['approve', 'approved', 'What was approved began on .* UTC, so it cannot be revoked any more'],
  ['deny', 'denied', 'The reason: no It is not done'],
] as const)(
  'a decision after %s decides nothing, and the page says in words how it stands',
  async (first, outcome, words) => {
    const id = await asked()
    const { digest } = await shown(shared.probe, id)
    await operate(shared.probe, first, id, first === 'deny' ? { reason: 'no' } : undefined)
    await ended(shared.probe, id)
    for (const verb of ['approve', 'deny', 'revoke'] as const) {
      const { status, text, markup } = await decideAsPerson(verb, id, digest)
      expect(status).toBe(409)
      expect(text).toMatch(
        new RegExp(`Nothing was decided It was ${outcome} by operator on .* UTC\\. ${words}`),
      )
      expect(text).toMatch(/The task (has completed|was rejected)\./)
      expect(text).not.toContain('TASK_STATE')
      expect(markup).toContain(`href="./../approve/${id}"`)
      expect(markup).toContain('href="./../approve"')
    }
  },
)

test('GET of where one denies or revokes leads to the request, with its digest', async () => {
  const id = await asked()
  const { digest } = await shown(shared.probe, id)
  for (const verb of ['deny', 'revoke']) {
    for (const query of ['', `?digest=${digest}`]) {
      const url = `${shared.probe.url}/${verb}/${id}${query}`
      const { status, headers } = await fetch(url, { redirect: 'manual' })
      expect([status, headers.get('location')]).toEqual([303, `./../approve/${id}${query}`])
      expect((await read(`/${verb}/${id}${query}`)).text).toContain('asks for your approval')
    }
  }
})

test('while the agent asks its client something else, there is nothing to decide', async () => {
  const id = await asked()
  await asked({ pause: 'instead' }, id)
  await untilState(shared.probe, id, 'INPUT_REQUIRED')
  const { text, markup } = await pageOf(id)
  expect(text).toContain(
    'The request was not decided. The task goes on: it waits for an answer of its client.',
  )
  expect(markup).not.toContain('<form')
  expect(await shown(shared.probe, id)).toMatchObject({ waiting: false })
  expect((await operate(shared.probe, 'approve', id)).status).toBe(409)
})

test('the digest of the link and of the body must agree', async () => {
  const id = await asked()
  const { digest } = await shown(shared.probe, id)
  const other = '0'.repeat(64)
  const decide = (query: string, body: string) =>
    fetch(`${shared.probe.url}/approve/${id}${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    })
  await shared.changesNothing(async () => {
    expect((await decide(`?digest=${digest}`, `digest=${other}`)).status).toBe(400)
    expect((await decide('', `digest=${digest}&digest=${other}`)).status).toBe(400)
    expect((await decide(`?digest=${digest}&digest=${other}`, '')).status).toBe(400)
    const never = await decide(`?digest=${other}`, '')
    expect([never.status, await never.text()]).toEqual([409, expect.stringContaining('has never asked')])
    expect(await operate(shared.probe, 'revoke', id, { digest: other })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('has never asked') },
    })
  })
  expect((await decide(`?digest=${digest}`, `digest=${digest}`)).status).toBe(200)
})

test('a request whose task was canceled, and one whose time is over', async () => {
  const [canceled, expired] = [await asked(), await asked()]
  await shared.probe.call('JSONRPC', 'CancelTask', { id: canceled })
  const page = await pageOf(canceled)
  expect(page.text).toContain('The task was canceled.')
  expect(page.markup).not.toContain('<form')
  const short = await startProbe({ agent: asking, settings: { approvalTtl: 1 } })
  const id = await ask(short)
  await ended(short, id)
  expect((await read(`/approve/${id}`, short)).text).toMatch(/The request expired on .* It cannot be decided/)
  ahead = 25 * 3600 * 1000
  expect((await pageOf(expired)).text).toMatch(/It waits until .*, which is over\./)
  ahead = 0
})

test('a task that asked for nothing, an unknown one, and a digest that it never had', async () => {
  const plain = await startProbe()
  const { result } = await plain.call('JSONRPC', 'SendMessage', { message: userMessage('complete') })
  expect((await read(`/approve/${result.task.id}`, plain)).text).toContain(
    'This task has asked for no approval. The task has completed.',
  )
  expect(await read('/approve/none', plain)).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is nothing here There is no task none here.'),
  })
  const id = await asked()
  const never = await pageOf(id, 'abc')
  expect(never.status).toBe(404)
  expect(never.markup).toContain(`href="./../approve/${id}"`)
  const unknown = await decideAsPerson('approve', 'none', 'abc')
  expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining('There is no task none here.') })
  for (const { markup } of [unknown, await read('/approve/none')]) {
    expect(markup).toContain('href="./../approve"')
    expect(markup).not.toContain('approve/none')
  }
})

test('what others wrote is text on the page, and shows what would mislead the eye', async () => {
  const evil = '</blockquote><script>alert(1)</script> \u202egpj.exe\u2066 a\u200bb \u0007 é 日本 ⚠️'
  const id = await asked({
    operation: { 'a<b>': { 'x.y': [evil, '', 'x\u00a0y'] } },
    words: evil,
  })
  const { markup, text } = await pageOf(id)
  expect(markup).not.toMatch(/<script|[\u202a-\u202e\u2066-\u2069\u200b\u0007\u00a0]/)
  expect(text).toContain(
    '</blockquote><script>alert(1)</script> ⟨U+202E⟩gpj.exe⟨U+2066⟩ a⟨U+200B⟩b ⟨U+0007⟩ é 日本 ⚠️',
  )
  expect(text).toContain('"a<b>"."x.y"[1] "" "a<b>"."x.y"[2] x⟨U+00A0⟩y')
  const denied = await fetch(`${shared.probe.url}/deny/${id}`, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Content-Type': 'application/json' },
    body: JSON.stringify({ reason: '<b>no</b>' }),
  })
  expect([denied.redirected, await denied.text()]).toEqual([true, expect.stringContaining('&#60;b&#62;no')])
})

test('forms and links lead to the agent below whatever path a proxy has it', async () => {
  const id = await asked()
  for (const [path, link] of [
    ['/approve', `./approve/${id}?digest=`],
    ['/approve/', `./../approve/${id}?digest=`],
    [`/approve/${id}`, `./../approve/${id}`],
    [`/approve/${id}/`, `./../../approve/${id}`],
  ]) {
    expect((await read(`${path}?limit=100`)).markup).toContain(`"${link}`)
  }
})

test('an address that is none says where operators read and decide', async () => {
  const answer = await fetch(`${shared.probe.url}/approvals`)
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('at /approve.')])
})

const pageAt = async (url: string) =>
  (await (await fetch(url)).json()) as { requests: { taskId: string }[]; next?: string }

test('the list has what waits, oldest first, page by page, and leaves out what is decided', async () => {
  const probe = await startProbe({ agent: asking })
  expect((await read('/approve', probe)).text).toContain('Nothing waits.')
  const ids: string[] = []
  for (let nth = 0; nth < 5; nth++) ids.push(await ask(probe, { operation: { nth }, pause: 'before' }))
  await operate(probe, 'deny', ids[1]!)
  await operate(probe, 'approve', ids[2]!)
  await untilState(probe, ids[2]!, 'INPUT_REQUIRED')
  const listed: string[] = []
  const sizes: number[] = []
  let next = ''
  do {
    const query = `limit=2${next && `&after=${next}`}`
    const page = await pageAt(`${probe.url}/approve?${query}`)
    expect(page).toMatchObject({ agent: 'test-agent' })
    listed.push(...page.requests.map(({ taskId }) => taskId))
    sizes.push(page.requests.length)
    next = page.next ?? ''
  } while (next)
  expect([listed, sizes]).toEqual([
    [ids[0], ids[2], ids[3], ids[4]],
    [2, 2],
  ])
  const { text, markup } = await read('/approve?limit=2', probe)
  expect(text).toMatch(/nth: 0 Asked for by somebody who was not identified, and waits for 23 hours/)
  expect(text).toMatch(/nth: 2 Approved by operator, and not used yet\./)
  const [, further] = /<a href="\.\/(approve\?after=[^"]+)">Further requests/.exec(markup)!
  expect((await read(`/${further}`, probe)).text).toContain('nth: 3')
})

test.each(['after=1', 'after=1.zz', 'limit=0', 'limit=101', 'limit=x', `after=a&after=b`])(
  'a list is not given for %s',
  async (query) => {
    const answer = await fetch(`${shared.probe.url}/approve?${query}`)
    const [, field] = /^(\w+)=/.exec(query)!
    expect([answer.status, await answer.json()]).toEqual([400, { error: expect.stringContaining(field!) }])
  },
)
