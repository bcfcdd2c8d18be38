import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part, Task } from '@a2a-kit/task-core'
import { dataOf, textOf } from '@a2a-kit/task-core'
import { answerSchemaExtension } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { gate } from '../../../tests/support/agent.ts'
import { imaged } from '../../../tests/support/images.ts'
import { type Probe, startProbe, temporaryFolder, userMessage } from '../../../tests/support/probe.ts'
import { untilState } from '../../../tests/support/wait.ts'
import { earlyAccess } from './agent.ts'
import { openRegistrations } from './registrations.ts'

const question = 'Which email address should have early access? Send it as text, or as data: {"email": "…"}.'
const ada = { registered: true, email: 'ada@example.com', program: 'early_access' }

async function start(dataDir?: string) {
  const folder = dataDir ?? (await temporaryFolder())
  return startProbe({ agent: earlyAccess(openRegistrations(folder)), dataDir: folder })
}

/** Sends text or data, on `task` if one is given, and gives the task as it stands when it waits or ends. */
async function send(probe: Probe, content: string | object, task?: Task): Promise<Task> {
  const part = typeof content === 'string' ? { text: content } : { data: content }
  const more = { parts: [part], ...(task ? { taskId: task.id } : {}) }
  return (await probe.call('JSONRPC', 'SendMessage', { message: userMessage('', more) })).result.task
}

const cancel = async (probe: Probe, { id }: Task): Promise<Task> =>
  (await probe.call('JSONRPC', 'CancelTask', { id })).result

const said = ({ status }: Task) => [status.state, textOf(status.message)]

/** What is kept in the data folder: each file's name and text. */
function kept(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'early-access')
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/** What is kept when `email` was registered by `task`, and nothing else. */
const only = ({ id }: Task, email: string) => ({ [`${id}.json`]: `${JSON.stringify({ ...ada, email })}\n` })

describe('the early-access agent', () => {
  test('asks for the address that a message lacks, and says as a schema which data would do', async () => {
    const probe = await start()
    const asked = await send(probe, 'Please register Example Ltd for early access.')
    expect(said(asked)).toEqual(['TASK_STATE_INPUT_REQUIRED', question])
    expect(asked.status.message?.metadata?.[answerSchemaExtension]).toMatchObject({ required: ['email'] })
    expect(asked.metadata).toEqual({ skill: 'request-early-access' })
    expect(kept(probe.dataDir)).toEqual({})
  })

  test.each([
    ['as text', 'ada@example.com'],
    ['as data', { email: 'ada@example.com', company: 'Example Ltd' }],
  ])('registers an address that is answered %s, and confirms it as an artifact', async (_how, answer) => {
    const probe = await start()
    const asked = await send(probe, 'I would like early access.')
    const done = await send(probe, answer, asked)
    expect(done).toMatchObject({ id: asked.id, metadata: { skill: 'request-early-access' } })
    expect(said(done)).toEqual(['TASK_STATE_COMPLETED', ''])
    expect(done.artifacts).toEqual([
      {
        artifactId: expect.any(String),
        name: 'Registration',
        parts: [
          { text: 'ada@example.com is registered for early access.' },
          { data: ada, mediaType: 'application/json' },
        ] satisfies Part[],
      },
    ])
    expect(kept(probe.dataDir)).toEqual(only(done, 'ada@example.com'))
  })

  test.each<[string | object, string]>([
    ['ada@example.com', 'ada@example.com'],
    ['Register ada@example.com.', 'ada@example.com'],
    ['I am Ada Byron <ada.byron+news@mail.example.co.uk>, hello!', 'ada.byron+news@mail.example.co.uk'],
    ['Write to mailto:ada@example.com, or to b@example.com', 'ada@example.com'],
    ["O'Neill is o'neill@example.com", "o'neill@example.com"],
    ['Grüße von jörg@bücher.example!', 'jörg@bücher.example'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
  ])('completes without a question when the message holds the address: %j', async (message, email) => {
    const probe = await start()
    const done = await send(probe, message)
    expect(done.status.state).toBe('TASK_STATE_COMPLETED')
    expect(done.history).toHaveLength(1)
    expect(dataOf(done.artifacts?.[0])).toEqual({ ...ada, email })
    expect(kept(probe.dataDir)).toEqual(only(done, email))
  })

  test.each<[string, string | object]>([
    ['is prose', 'no, thanks'],
    ['has no whole domain', 'ada@example'],
    ['has no name', '@example.com'],
    ['has two at signs', 'ada@b@example.com'],
    ['goes on after the domain', 'ada@example.com$'],
    ['has too long a name', `${'a'.repeat(65)}@example.com`],
    ['is one very long word', 'a'.repeat(1_000_000)],
    ['is data with something else', { email: 'ada' }],
    ['is data with a number', { email: 7 }],
    ['is data with null', { email: null }],
    ['is data that cannot be made a text', { email: { toString: null } }],
    ['is data under another name', { address: 'ada@example.com' }],
    ['is a list', ['ada@example.com']],
  ])('asks again when the answer %s', async (_what, answer) => {
    const probe = await start()
    const asked = await send(probe, 'Hello')
    const again = await send(probe, answer, asked)
    expect(said(again)).toEqual(['TASK_STATE_INPUT_REQUIRED', question])
    const done = await send(probe, 'ada@example.com', asked)
    expect(done.status.state).toBe('TASK_STATE_COMPLETED')
    expect(kept(probe.dataDir)).toEqual(only(done, 'ada@example.com'))
  })

  test('goes on waiting through a restart', async () => {
    const before = await start()
    const asked = await send(before, 'Hello')
    await before.close()
    const after = await start(before.dataDir)
    expect(said(await send(after, 'ada@example.com', asked))).toEqual(['TASK_STATE_COMPLETED', ''])
    expect(kept(after.dataDir)).toEqual(only(asked, 'ada@example.com'))
  })

  test('says that nothing was registered when it is canceled while it waits', async () => {
    const probe = await start()
    const canceled = await cancel(probe, await send(probe, 'Hello'))
    expect(said(canceled)).toEqual(['TASK_STATE_CANCELED', 'Canceled. Nothing was registered.'])
    expect(canceled.metadata).toEqual({ skill: 'request-early-access' })
    expect(kept(probe.dataDir)).toEqual({})
  })

  test('says so when the cancel came after the address was kept', async () => {
    const dataDir = await temporaryFolder()
    const registrations = openRegistrations(dataDir)
    const held = gate()
    const slow: typeof registrations = {
      ...registrations,
      async save(...words) {
        registrations.save(...words)
        await held.pass()
      },
    }
    const probe = await startProbe({ agent: earlyAccess(slow), dataDir, settings: { cancelGrace: 0 } })
    const message = userMessage('ada@example.com')
    const configuration = { returnImmediately: true }
    const { result } = await probe.call('JSONRPC', 'SendMessage', { message, configuration })
    await held.entered
    const canceled = await cancel(probe, result.task)
    expect(said(canceled)).toEqual(['TASK_STATE_CANCELED', 'Canceled after the address was registered.'])
    held.open()
  })
})

test('a registration is made once, whatever moment the agent was killed at', async () => {
  const folder = await temporaryFolder()
  const { dataDir, world, images } = await imaged('early-access', () => kept(folder), Object.keys)
  const uncut = await startProbe({ agent: earlyAccess(openRegistrations(folder)), dataDir, world })
  const message = userMessage('ada@example.com')
  await uncut.call('JSONRPC', 'SendMessage', { message })
  await uncut.close()
  const between = images.filter(({ beside }) => Object.keys(beside).length > 0)
  expect(images.length).toBeGreaterThan(between.length)
  for (const image of images) {
    mkdirSync(join(image.dataDir, 'early-access'))
    for (const [name, text] of Object.entries(image.beside))
      writeFileSync(join(image.dataDir, 'early-access', name), text)
    const probe = await start(image.dataDir)
    const { result } = await probe.call('JSONRPC', 'SendMessage', { message })
    const done = await untilState(probe, result.task.id, 'COMPLETED')
    expect(done.artifacts).toHaveLength(1)
    expect(kept(image.dataDir)).toEqual(only(done, 'ada@example.com'))
    await probe.close()
  }
})
