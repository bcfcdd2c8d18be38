// What clients written in Go send on their own.
import { expect, test } from 'vitest'
import { startProbe, userMessage } from './support/probe.ts'
import { expectHttpJsonError, raw } from './support/raw.ts'
import { begin } from './support/talk.ts'
import { untilState } from './support/wait.ts'

const post = (url: string, body?: string) =>
  raw(url, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': '' },
    ...(body === undefined ? {} : { body }),
  })

test('an empty Content-Type is none: fine without a body, and no type for one', async () => {
  const probe = await startProbe()
  const waiting = async (text: string, state: string) => {
    const id = await begin(probe, text)
    await untilState(probe, id, state)
    return id
  }
  const deploy = await waiting('authorize it', 'AUTH_REQUIRED')
  expect((await post(`${probe.url}/approve/${deploy}`)).status).toBe(200)
  const question = await waiting('ask what?', 'INPUT_REQUIRED')
  const canceled = await post(`${probe.url}/a2a/tasks/${question}:cancel`)
  expect(canceled.body.status.state).toBe('TASK_STATE_CANCELED')
  const typeless = await post(`${probe.url}/a2a/message:send`, JSON.stringify({ message: userMessage('go') }))
  expectHttpJsonError(typeless, 415, 'INVALID_ARGUMENT', 'CONTENT_TYPE_NOT_SUPPORTED')
})
