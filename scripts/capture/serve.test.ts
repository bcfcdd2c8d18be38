import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { parse } from '../../capture/format.ts'
import { loadScenario, readOut } from '../../capture/library.ts'
import { freePort } from '../ports.ts'
import { serve } from './serve.ts'

const name = '06-input-required'
const scenario = await loadScenario(name)
const capture = parse(name, readOut)
const [first] = capture.exchanges

const send = async (port: number): Promise<unknown> => {
  const response = await fetch(`http://localhost:${port}/a2a`, {
    method: 'POST',
    headers: first!.request.headers,
    body: JSON.stringify(first!.request.body),
  })
  return response.json()
}

test('a capture that is served answers as recorded, and does so again when it is served again', async () => {
  for (let time = 0; time < 2; time++) {
    const port = await freePort()
    const { explanation, close } = await serve(capture, scenario, { agent: () => port, webhook: 0 })
    try {
      expect(await send(port)).toEqual(first!.answer.body)
      expect(explanation).toContain(`code-reviewer    http://localhost:${port}`)
      expect(explanation).toContain('npx httpyac send capture/out/06-input-required.http --name ex01')
    } finally {
      await close()
    }
  }
})

test('its secrets are new each time, and it says where they go', async () => {
  const port = await freePort()
  const explained = async () => {
    const served = await serve({ ...capture, secrets: ['token'] }, scenario, {
      agent: () => port,
      webhook: 0,
    })
    await served.close()
    return /@token = (\S{20,})/.exec(served.explanation)?.[1]
  }
  const [one, other] = [await explained(), await explained()]
  expect(one).toBeDefined()
  expect(other).toBeDefined()
  expect(one).not.toBe(other)
})

test('it says which requests are sent while a stream is open', async () => {
  const port = await freePort()
  const waits = '07-auth-required'
  const ports = { agent: () => port, webhook: 0 }
  const { explanation, close } = await serve(parse(waits, readOut), await loadScenario(waits), ports)
  await close()
  expect(explanation).toMatch(/^ {2}ex01 {2}SendStreamingMessage +a stream$/m)
  expect(explanation).toMatch(/^ {2}ex02 {2}POST .* from another terminal, while ex01 still goes on$/m)
  expect(explanation).toContain('httpyac prints a stream when it has ended')
  for (const line of explanation.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test('where a port is taken it says which', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  try {
    const serving = serve(capture, scenario, { agent: () => port, webhook: 0 })
    await expect(serving).rejects.toThrow(`Port ${port} is taken`)
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

test('push notifications are answered as recorded', async () => {
  const [agent, webhook] = [await freePort(), await freePort()]
  const [exchange] = capture.exchanges
  const delivery = (status: number) => ({
    ...exchange!,
    to: 'webhook',
    answer: { ...exchange!.answer, status },
  })
  const withWebhook = {
    ...capture,
    variables: { ...capture.variables, webhook: 'http://localhost:41250' },
    exchanges: [delivery(503), delivery(204)],
  }
  const { close } = await serve(withWebhook, scenario, { agent: () => agent, webhook })
  try {
    const answers: number[] = []
    for (let time = 0; time < 3; time++) {
      const { status } = await fetch(`http://localhost:${webhook}/hook`, { method: 'POST', body: '{}' })
      answers.push(status)
    }
    expect(answers).toEqual([503, 204, 204])
  } finally {
    await close()
  }
})
