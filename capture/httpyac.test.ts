import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from './format.ts'
import { loadScenario, outFolder, readOut } from './library.ts'
import { recorded } from './replay/answers.ts'
import { openHttpyac } from './replay/httpyac.ts'
import { replay } from './replay/replay.ts'

const files = readdirSync(outFolder).filter((file) => file.endsWith('.http'))

describe.each(files)('httpyac and %s', (file) => {
  const name = file.replace(/\.http$/, '')
  const capture = parse(name, readOut)
  const { exchanges, places } = capture

  test('it finds the requests, and takes neither an answer nor prose for one', async () => {
    const { requests } = await openHttpyac(file, readOut(file))
    const expected = exchanges.map(({ n, request: { method, url } }) => ({
      name: `ex${String(n).padStart(2, '0')}`,
      method,
      url,
      settings: [],
    }))
    expect(requests).toEqual(expected)
  })

  test('it is answered as recorded', { timeout: 120_000 }, async () => {
    const outcomes = await replay(capture, await loadScenario(name), readOut(file))
    expect(outcomes).toHaveLength(exchanges.length)
    for (const { exchange, seen, agent } of outcomes) {
      const where = `capture/out/${file}:${places.get(exchange.n)!.answer}`
      expect(seen, where).toEqual(recorded(exchange))
      if (!agent) continue
      expect(agent.sent, where).toEqual(exchange.request.body)
      expect(agent.repeated, where).toBe(exchange.answer.status)
    }
  })
})
