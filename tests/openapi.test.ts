import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { bindings, startProbe, userMessage } from './support/probe.ts'
import { judge } from './support/schema.ts'
import { allFrames } from './support/sse.ts'

const documentOf = async (url: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: a document is looked into at many places
  (await (await fetch(`${url}/openapi.json`)).json()) as any

test('the agent serves an OpenAPI document that is valid, of the address that its card gives', async () => {
  const probe = await startProbe({ publicUrl: 'https://agents.example/x' })
  const document = await documentOf(`http://localhost:${probe.port}`)
  const { valid, errors } = await new Validator().validate(document)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(document.servers).toEqual([{ url: 'https://agents.example/x/a2a' }])
  expect(document.info).toMatchObject({ title: 'conformance', version: probe.card.version })
})

test('every path of it is served, by each of its methods and no other', async () => {
  const probe = await startProbe()
  const { paths } = await documentOf(probe.url)
  for (const [path, item] of Object.entries(paths as Record<string, object>)) {
    const url = `${probe.url}/a2a${path.replace(/\{\w+\}/g, 'x')}`
    const methods = Object.keys(item).map((method) => method.toUpperCase())
    const answered = await fetch(url, { method: 'PATCH', headers: { 'A2A-Version': '1.0' } })
    expect(answered.status, `PATCH ${path}`).toBe(405)
    expect(answered.headers.get('allow')?.split(', ').toSorted(), path).toEqual(methods.toSorted())
  }
})

test('it names what each operation takes: ids in the path, the rest in the query or the body', async () => {
  const probe = await startProbe()
  const { paths, components } = await documentOf(probe.url)
  const names = (operation: { parameters: { name: string; in: string }[] }, where: string) =>
    operation.parameters.filter((one) => one.in === where).map(({ name }) => name)
  expect(names(paths['/tasks'].get, 'query')).toEqual([
    'contextId',
    'status',
    'pageSize',
    'pageToken',
    'historyLength',
    'statusTimestampAfter',
    'includeArtifacts',
  ])
  expect(names(paths['/tasks/{id}'].get, 'path')).toEqual(['id'])
  expect(names(paths['/tasks/{id}'].get, 'query')).toEqual(['historyLength'])
  expect(names(paths['/tasks/{id}:subscribe'].post, 'header')).toContain('Last-Event-ID')
  expect(paths['/message:send'].post.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/SendMessageRequest',
  })
  expect(components.schemas.SendMessageRequest.required).toEqual(['message'])
  expect(components.schemas.ClientMessage.required).toEqual(['messageId', 'role', 'parts'])
})

test('what it says of a request is refused where it is: a required text or list that is empty', async () => {
  const probe = await startProbe()
  const { components } = await documentOf(probe.url)
  const { ClientMessage, AuthenticationInfo, ListTasksResponse } = components.schemas
  const empty: object[] = [{ messageId: '' }, { parts: [] }]
  for (const more of empty) {
    const message = userMessage('complete', more)
    expect((await probe.call('HTTP+JSON', 'SendMessage', { message })).status).toBe(400)
  }
  const { messageId, parts } = ClientMessage.properties
  expect([messageId.minLength, parts.minItems]).toEqual([1, 1])
  expect(AuthenticationInfo.properties.scheme.minLength).toBe(1)
  expect(ListTasksResponse.properties.tasks).not.toHaveProperty('minItems')
})

test('an agent whose callers need a token says so in it', async () => {
  const probe = await startProbe({ callerTokens: { alice: 'a-token-of-alice-1' } })
  const { security, components } = await documentOf(probe.url)
  expect(security).toEqual([{ bearer: [] }])
  expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
})

test.each(bindings)(
  'over %s every answer is what the document says: no field more, no null [DM-TASK-001] [DM-TASK-002] [DM-MSG-001] [DM-MSG-002] [DM-PART-001] [DM-ART-001] [DM-STATUS-001] [DM-SERIAL-004]',
  async (binding) => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const faults = await judge(probe.url)
    const call = async (operation: string, params: object) =>
      (await probe.call(binding, operation, params)).result
    const script = [
      'working now',
      'artifact note.txt hello',
      'data rows {"a":[1,null,{"b":false}]}',
      'file file.txt text/plain abc',
      'link link.txt text/plain https://example.com/x',
      'append parts one | two | three',
      'ask Which?',
    ].join('; ')
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage(script) })
    const frames = await allFrames(stream)
    expect(frames.length).toBeGreaterThan(8)
    for (const { id: _, ...frame } of frames) expect(faults('StreamResponse', frame)).toEqual([])

    const id = frames[0]!.task!.id
    expect(faults('Task', await call('GetTask', { id }))).toEqual([])
    const answer = { message: userMessage('that one', { taskId: id, metadata: { deep: { er: [1, 'x'] } } }) }
    const answered = await call('SendMessage', answer)
    expect(faults('SendMessageResponse', answered)).toEqual([])
    expect(answered.task.history.length).toBeGreaterThan(2)
    expect(
      faults('SendMessageResponse', await call('SendMessage', { message: userMessage('reply hi') })),
    ).toEqual([])
    expect(faults('ListTasksResponse', await call('ListTasks', { includeArtifacts: true }))).toEqual([])
    expect(faults('ListTasksResponse', await call('ListTasks', { contextId: 'none' }))).toEqual([])
    const waiting = await call('SendMessage', { message: userMessage('authorize it') })
    expect(faults('Task', waiting.task)).toEqual([])
    expect(faults('Task', await call('CancelTask', { id: waiting.task.id }))).toEqual([])
    expect(
      faults(
        'AgentCard',
        await (
          await fetch(`${probe.url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '1.0' } })
        ).json(),
      ),
    ).toEqual([])
  },
)

test('an error is what the document says', async () => {
  const probe = await startProbe()
  const faults = await judge(probe.url)
  const response = await fetch(`${probe.url}/a2a/tasks/none`, { headers: { 'A2A-Version': '1.0' } })
  expect(faults('ErrorResponse', await response.json())).toEqual([])
})

test('the judge of these tests sees a field that is not known, a null and a wrong type', async () => {
  const faults = await judge((await startProbe()).url)
  const task = { id: 'x', status: { state: 'TASK_STATE_WORKING' } }
  expect(faults('Task', task)).toEqual([])
  for (const fault of [
    { more: 1 },
    { contextId: null },
    { status: { state: 'working' } },
    { status: { state: 2 } },
  ]) {
    expect(faults('Task', { ...task, ...fault })).not.toEqual([])
  }
})
