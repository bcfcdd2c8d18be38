import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Artifact, Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/ports.ts'
import { operate } from '../../../tests/support/operator.ts'
import { type Probe, startProbe, temporaryFolder, userMessage } from '../../../tests/support/probe.ts'
import { untilState } from '../../../tests/support/wait.ts'
import { readProfile } from './profile.ts'
import { forms } from './script.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

const send = async (probe: Probe, text: string, more: object = {}): Promise<Task> =>
  (await probe.call('JSONRPC', 'SendMessage', { message: userMessage(text, more) })).result.task

const state = ({ status }: Task) => status.state.replace('TASK_STATE_', '')
const said = ({ status }: Task) => status.message?.parts[0]?.text
const artifacts = ({ artifacts = [] }: Task) =>
  artifacts.map(({ name, parts }: Artifact) => ({ name, parts }))

describe('a script', () => {
  test.each([
    ['complete all done', 'COMPLETED', 'all done'],
    ['', 'COMPLETED', undefined],
    ['fail no luck', 'FAILED', 'no luck'],
    ['reject not that', 'REJECTED', 'not that'],
    ['working; sleep 1; complete', 'COMPLETED', undefined],
  ])('"%s" ends in %s', async (script, end, text) => {
    const task = await send(await startProbe(), script)
    expect([state(task), said(task)]).toEqual([end, text])
  })

  test('"throw" ends as a bug does: the text stays in the log', async () => {
    const task = await send(await startProbe(), 'throw a secret')
    expect(state(task)).toBe('FAILED')
    expect(said(task)).not.toContain('secret')
  })

  test.each([
    ['artifact a.txt hello there', 'a.txt', [{ text: 'hello there' }]],
    ['data d {"a":[1,null]}', 'd', [{ data: { a: [1, null] }, mediaType: 'application/json' }]],
    ['file f.txt text/plain abc', 'f.txt', [{ raw: 'YWJj', filename: 'f.txt', mediaType: 'text/plain' }]],
    [
      'link l.txt text/plain https://example.com/l.txt',
      'l.txt',
      [{ url: 'https://example.com/l.txt', filename: 'l.txt', mediaType: 'text/plain' }],
    ],
    ['artifact a "one; two then three"', 'a', [{ text: '"one; two then three"' }]],
    ['append a one | two', 'a', [{ text: 'onetwo' }]],
    ['chunks 2', 'chunks', [{ text: 'chunk-1 chunk-2 ' }]],
    ['echo', 'echo', [{ text: 'echo' }]],
  ])('"%s" makes an artifact', async (script, name, parts) => {
    expect(artifacts(await send(await startProbe(), script))).toEqual([{ name, parts }])
  })

  test('"ask" takes the answer and goes on; "obey" does what the answer says', async () => {
    const probe = await startProbe()
    const asked = await send(probe, 'ask Which?; obey And now?; complete never')
    expect([state(asked), said(asked)]).toEqual(['INPUT_REQUIRED', 'Which?'])
    const again = await send(probe, 'this one', { taskId: asked.id })
    expect([state(again), said(again)]).toEqual(['INPUT_REQUIRED', 'And now?'])
    const done = await send(probe, 'artifact b bye; complete as told', { taskId: asked.id })
    expect([state(done), said(done)]).toEqual(['COMPLETED', 'as told'])
    expect(artifacts(done).map(({ name }) => name)).toEqual(['answer', 'b'])
  })

  test('"authorize" waits for an operator, and notes what is said meanwhile', async () => {
    const probe = await startProbe()
    const waiting = await send(probe, 'authorize the launch')
    expect(state(waiting)).toBe('AUTH_REQUIRED')
    const noted = await send(probe, 'go ahead', { taskId: waiting.id })
    expect([state(noted), artifacts(noted)[0]!.name]).toEqual(['AUTH_REQUIRED', 'note'])
    await operate(probe, 'approve', waiting.id)
    const done = await untilState(probe, waiting.id, 'COMPLETED')
    expect(artifacts(done)[1]).toMatchObject({ name: 'decision', parts: [{ data: { outcome: 'approved' } }] })
  })

  test('"reply" answers with a message and no task', async () => {
    const { result } = await (await startProbe()).call('JSONRPC', 'SendMessage', {
      message: userMessage('reply hi'),
    })
    expect(result.message.parts).toEqual([{ text: 'hi' }])
  })

  const tooMuch = ['sleep 3000000000', 'chunks 2 every 3000000000', 'chunks 1 of 600000000']

  test.each(['hello', 'sleep long', 'artifact x', 'data d {', 'hang on', ...tooMuch])(
    '"%s" is none, and the status message says what is',
    async (text) => {
      const task = await send(await startProbe(), text)
      expect(state(task)).toBe('FAILED')
      expect(said(task)).toContain(`"${text}" is not a command. There are: working [text]; `)
    },
  )
})

describe("the official suite's wishes", () => {
  const suite = (card: string) => readProfile({ CONFORMANCE_PROFILE: 'tck', CONFORMANCE_CARD: card })

  test.each([
    ['tck-complete-task-1', 'COMPLETED', 'Hello from TCK'],
    ['tck-input-required-1', 'INPUT_REQUIRED', 'Please say more.'],
    ['tck-reject-task-1', 'FAILED', 'rejected'],
    ['tck-anything-1', 'COMPLETED', 'Unhandled messageId prefix: tck-anything-1'],
  ])('the messageId %s chooses, whatever the text', async (messageId, end, text) => {
    const task = await send(await startProbe(), 'hello', { messageId })
    expect([state(task), said(task)]).toEqual([end, text])
  })

  test('a follow-up chooses anew, and one messageId goes to many tasks', async () => {
    const { agent, options } = suite('full')
    const probe = await startProbe({ agent, ...options })
    const ask = { messageId: 'tck-input-required-1' }
    const first = await send(probe, 'x', ask)
    const second = await send(probe, 'x', ask)
    expect(second.id).not.toBe(first.id)
    expect(state(await send(probe, 'x', { ...ask, taskId: first.id }))).toBe('INPUT_REQUIRED')
    const done = await send(probe, 'x', { messageId: 'tck-complete-task-1', taskId: first.id })
    expect(state(done)).toBe('COMPLETED')
  })

  test('a part of any media type, and the extended card without a token', async () => {
    const { agent, options } = suite('full')
    const probe = await startProbe({ agent, ...options })
    const parts = [{ text: 'x', mediaType: 'application/x-unsupported-tck-type' }]
    expect(state(await send(probe, '', { messageId: 'tck-send-003', parts }))).toBe('COMPLETED')
    const { result } = await probe.call('HTTP+JSON', 'GetExtendedAgentCard', {})
    expect(result.description).toContain('extended card')
  })

  test('the minimal card has no capabilities, the third one requires an extension', () => {
    expect(suite('minimal').options.capabilities).toEqual({
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    })
    expect(suite('required-extension').agent.extensions).toMatchObject([
      { uri: 'urn:a2a:tck:required-extension', required: true },
    ])
  })

  test('a profile or a card that is not known is said', () => {
    expect(() => readProfile({ CONFORMANCE_PROFILE: 'x' })).toThrow(/CONFORMANCE_PROFILE must be one of tck/)
    expect(() => readProfile({ CONFORMANCE_CARD: 'x' })).toThrow(/one of full, minimal, required-extension/)
  })
})

describe('its README', () => {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text!)

  test('names every command, in its form', () => {
    const rows = readme.split('\n').filter((line) => line.startsWith('|'))
    const named = rows.flatMap((row) =>
      [...row.matchAll(/`([^`]+)`/g)].map(([, text]) => text!.replaceAll('\\|', '|')),
    )
    const reply = 'reply <text>'
    for (const form of [...Object.values(forms), reply]) expect(named).toContain(form)
  })

  test('has commands that run as they stand', async () => {
    const port = await freePort()
    const [start, question] = blocks.map((text) => text.replaceAll('41249', String(port)))
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const env = {
      ...process.env,
      PORT: String(port),
      GRPC_PORT: '0',
      DATA_DIR: await temporaryFolder(),
      LOG_LEVEL: 'silent',
    }
    const bash = (script: string) => spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env })
    const agent = bash(start!.replace('npm run agent --', `exec ${process.execPath} scripts/run.mjs`))
    onTestFinished(() => void agent.kill())
    const health = () =>
      fetch(`http://localhost:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(health, { timeout: 15_000 }).toBe(true)
    const output = await bash(question!).stdout.toArray()
    expect(JSON.parse(output.join('')).task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
  })
})
