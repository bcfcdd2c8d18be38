// What an agent keeps and takes: the page that its card names says what is set, and docs/limits.md names every variable with its default.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { callerLimits } from '../shared/task-core/src/configuration/caller-limits.ts'
import { limits } from '../shared/task-core/src/configuration/limits.ts'
import { retention } from '../shared/task-core/src/configuration/retention.ts'
import { testAgent } from './support/agent.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { startProbe } from './support/probe.ts'

const done = async () => {}
/** The variables of all that the agent says, each with a value that none of the others has. */
const variables = [
  ...Object.keys({ ...limits.properties, ...retention.properties }),
  'MAX_REQUESTS_PER_SECOND',
  'MAX_MESSAGES_PER_MINUTE',
  'MAX_STREAMS_PER_CALLER',
  'MAX_OPEN_TASKS_PER_CALLER',
  'MAX_AUTH_FAILURES_PER_MINUTE',
]
const values = Object.fromEntries(variables.map((name, nth) => [name, 7001 + nth]))
const { trustProxy: _, ...rates } = callerLimits.read({ ...values, TRUST_PROXY: '' })
const set = { ...limits.read(values), ...retention.read(values), ...rates }
type Policy = Record<'agent' | 'kept' | 'taken' | 'perCaller', object>
const asPage = { headers: { accept: 'text/html,*/*;q=0.8' } }

test('the card names a page that says every limit as it is set, and that the audit log is kept', async () => {
  const { card } = await startProbe({ agent: testAgent(done), settings: set })
  const response = await fetch(card.documentationUrl!, asPage)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(response.headers.get('vary')).toBe('Accept')
  const page = await response.text()
  for (const name of variables) expect(page, name).toMatch(new RegExp(`\\b${values[name]}\\b`))
  expect(page).toContain('The audit log is never purged.')
  expect(page).not.toMatch(/<script|undefined|NaN/)
})

test('a program reads the same values there as JSON, under the names of the variables', async () => {
  const settings = { ...set, inputTtl: 5400, approvalTtl: 61 }
  const { card } = await startProbe({ agent: testAgent(done), settings })
  const response = await fetch(card.documentationUrl!)
  expect(response.headers.get('vary')).toBe('Accept')
  const { agent, kept, taken, perCaller } = (await response.json()) as Policy
  expect(agent).toBe(card.name)
  const others = { INPUT_TTL: 5400, APPROVAL_TTL: 61, auditLog: 'for ever' }
  expect({ ...kept, ...taken, ...perCaller }).toEqual({ ...values, ...others })
})

test('page and data say what one caller may do, and nothing of what has no limit', async () => {
  const settings = {
    maxRequestsPerSecond: 0,
    maxMessagesPerMinute: 7001,
    maxStreamsPerCaller: 7002,
    maxOpenTasksPerCaller: 7003,
    maxAuthFailuresPerMinute: 0,
  }
  const { card } = await startProbe({ agent: testAgent(done), settings })
  const page = await (await fetch(card.documentationUrl!, asPage)).text()
  expect(page).toMatch(/>7001 a minute<[\s\S]*>7002 at once<[\s\S]*>7003 at once</)
  expect(page).not.toMatch(/a second|Tokens/)
  expect(((await (await fetch(card.documentationUrl!)).json()) as Policy).perCaller).toEqual({
    MAX_MESSAGES_PER_MINUTE: 7001,
    MAX_STREAMS_PER_CALLER: 7002,
    MAX_OPEN_TASKS_PER_CALLER: 7003,
  })
})

test('the command of docs/limits.md prints it, and the page says times in the largest unit that is exact', async () => {
  const settings = { taskRetention: 24 * 3600, inputTtl: 5400, approvalTtl: 61 }
  const { port, card } = await startProbe({ agent: testAgent(done), settings })
  const [asked, ...more] = blocksOf('docs/limits.md', 'sh')
  expect(more).toEqual([])
  const { kept } = JSON.parse(await run(withOthers(asked!, { 41241: port })).ended)
  expect(kept).toMatchObject({ TASK_RETENTION: 86400, INPUT_TTL: 5400, APPROVAL_TTL: 61 })
  const page = await (await fetch(card.documentationUrl!, asPage)).text()
  expect(page).toMatch(/>1 day<[\s\S]*>90 minutes<[\s\S]*>61 seconds</)
})

test('an author’s own documentation page stays on the card', async () => {
  const { card, ...agent } = testAgent(done)
  const documentationUrl = 'https://docs.example/agent'
  const probe = await startProbe({ agent: { ...agent, card: { ...card, documentationUrl } } })
  expect(probe.card.documentationUrl).toBe(documentationUrl)
})

test('docs/limits.md and the README have every variable, with its default', () => {
  const properties: Record<string, { default: number }> = { ...limits.properties, ...retention.properties }
  const read = { ...limits.read(defaultsOf(properties)), ...retention.read(defaultsOf(properties)) }
  expect(defaultSettings).toMatchObject(read)
  for (const page of ['docs/limits.md', 'README.md']) {
    const rows = readFileSync(join(root, page), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
    for (const [variable, { default: standard }] of Object.entries(properties)) {
      const found = rows.find((cells) => cells.includes(`\`${variable}\``)) ?? []
      expect(found, `${variable} in ${page}`).toContain(String(standard))
    }
  }
})

const defaultsOf = (properties: Record<string, { default: number }>) =>
  Object.fromEntries(
    Object.entries(properties).map(([variable, { default: standard }]) => [variable, standard]),
  )
