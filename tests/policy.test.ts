// What an agent keeps and takes: the page that its card names says what is set, and docs/limits.md names every variable with its default.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings, type Settings } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { root } from '../scripts/kit.ts'
import { limits } from '../shared/task-core/src/configuration/limits.ts'
import { retention } from '../shared/task-core/src/configuration/retention.ts'
import { testAgent } from './support/agent.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { startProbe } from './support/probe.ts'

const done = async () => {}
/** All that is read from the variables of limits and retention. */
const names = Object.keys({ ...limits.read({}), ...retention.read({}) }) as (keyof Settings)[]

test('the card names a page that says every limit as it is set', async () => {
  const settings = Object.fromEntries(names.map((name, nth) => [name, 7001 + nth]))
  const { card } = await startProbe({ agent: testAgent(done), settings })
  const response = await fetch(card.documentationUrl!)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  const page = await response.text()
  for (const name of names) expect(page, name).toMatch(new RegExp(`\\b${settings[name]}\\b`))
  expect(page).not.toMatch(/<script|undefined|NaN/)
})

test('the page says what one caller may do, and nothing of what has no limit', async () => {
  const settings = {
    maxRequestsPerSecond: 0,
    maxMessagesPerMinute: 7001,
    maxStreamsPerCaller: 7002,
    maxOpenTasksPerCaller: 7003,
  }
  const { card } = await startProbe({ agent: testAgent(done), settings })
  const page = await (await fetch(card.documentationUrl!)).text()
  expect(page).toMatch(/>7001 a minute<[\s\S]*>7002 at once<[\s\S]*>7003 at once</)
  expect(page).not.toContain('a second')
})

test('the command of docs/limits.md prints it, and times are said in the largest unit that is exact', async () => {
  const settings = { taskRetention: 24 * 3600, inputTtl: 5400, approvalTtl: 61 }
  const { port } = await startProbe({ agent: testAgent(done), settings })
  const [asked, ...more] = blocksOf('docs/limits.md', 'sh')
  expect(more).toEqual([])
  const page = await run(withOthers(asked!, { 41241: port })).ended
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
  const values = Object.values({
    ...limits.read(defaultsOf(properties)),
    ...retention.read(defaultsOf(properties)),
  })
  expect(values).toEqual(names.map((name) => defaultSettings[name]))
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
