// The data model (§4, §5.5 to §5.7) in every operation's answer: known fields alone, right types, REQUIRED fields, names of the proto.
import { conformance } from '@a2a-kit/conformance'
import type { Agent } from '@a2a-kit/task-core'
import type { Part, Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { type Binding, bindings, type Probe, startProbe, userMessage } from './support/probe.ts'
import { judge } from './support/schema.ts'
import { allFrames, framesUntil } from './support/sse.ts'

/** Parts of every kind, for the agent to give back. */
const parts: Part[] = [
  { text: ';' },
  { text: ';', metadata: { snake_case: null } },
  { raw: 'AAEC', filename: 'a.bin', mediaType: 'application/json' },
  { url: 'https://example.com/a', mediaType: 'text/plain' },
  { data: null },
  { data: { snake_case: [1, null, { a: false }] } },
]

/** Tasks in every state that the agent brings them to, and every kind of event and part on the way. */
const scripts = [
  'complete',
  'working; working with words; artifact a b; complete done',
  'echo',
  'file a.txt text/plain content; link b text/plain https://example.com/b; data c {"d":1}',
  'append a one | two | three',
  'fail no',
  'reject no',
  'throw secret',
  'working; ask what?',
  'authorize cleanup',
  'sleep 600000',
  'working; sleep 600000',
]

const sent = (text: string) =>
  userMessage(text, {
    parts: [{ text, mediaType: 'text/plain' }, ...parts],
    metadata: { snake_case: 1 },
    extensions: ['urn:test:a'],
    referenceTaskIds: ['another'],
  })

const waits = /ask|authorize|sleep/

/** Every answer of every operation but the card's, each with the shape that it must have; and the tasks at their ends. */
async function* answers(probe: Probe, binding: Binding): AsyncGenerator<[shape: string, value: unknown]> {
  const call = async (operation: string, params: object) => {
    const { result, error } = await probe.call(binding, operation, params)
    if (error) throw new Error(error.message)
    return result
  }
  const open = (operation: 'SendStreamingMessage' | 'SubscribeToTask', params: object) =>
    probe.stream(binding, operation, params)
  const frame = ({ id: _, ...event }: object & { id?: unknown }): [string, object] => [
    'StreamResponse',
    event,
  ]

  for (const text of ['reply Hello.', ...scripts]) {
    const configuration = { returnImmediately: text.includes('sleep') }
    yield ['SendMessageResponse', await call('SendMessage', { message: sent(text), configuration })]
    const stream = await open('SendStreamingMessage', { message: sent(text) })
    if (!waits.test(text)) yield* (await allFrames(stream)).map(frame)
    else {
      const state = /ask/.test(text) ? 'INPUT_REQUIRED' : /auth/.test(text) ? 'AUTH_REQUIRED' : undefined
      const seen = await framesUntil(
        stream,
        `TASK_STATE_${state ?? (text.includes('working') ? 'WORKING' : 'SUBMITTED')}`,
      )
      yield* seen.map(frame)
      const { id } = seen[0]!.task!
      const watched = await open('SubscribeToTask', { id })
      yield ['Task', await call('GetTask', { id })]
      if (state === 'INPUT_REQUIRED') {
        const answer = userMessage('this', { taskId: id })
        yield* (await allFrames(await open('SendStreamingMessage', { message: answer }))).map(frame)
      } else {
        yield ['Task', await call('CancelTask', { id })]
      }
      yield* (await allFrames(watched)).map(frame)
      stream.close()
    }
  }
  for (const params of [{ pageSize: 3 }, { includeArtifacts: true, pageSize: 100 }, { contextId: 'none' }]) {
    yield ['ListTasksResponse', await call('ListTasks', params)]
  }
}

describe.each(bindings)('over %s', (binding) => {
  test('every answer has the fields of the specification alone, of the right types, and the REQUIRED ones [DM-TASK-001] [DM-TASK-002] [DM-MSG-001] [DM-MSG-002] [DM-PART-001] [DM-ART-001] [DM-STATUS-001] [DM-SERIAL-001] [DM-SERIAL-002] [DM-SERIAL-003] [DM-SERIAL-004]', async () => {
    const probe = await startProbe({ settings: { streamArtifacts: true } })
    const faults = await judge(probe.url)
    const states = new Set<string>()
    const kinds = new Set<string>()
    for await (const [shape, value] of answers(probe, binding)) {
      expect(faults(shape, value)).toEqual([])
      const text = JSON.stringify(value)
      for (const state of text.match(/TASK_STATE_\w+/g) ?? []) states.add(state)
      for (const kind of Object.keys(value as object)) kinds.add(kind)
    }
    // What was looked at is all there is to see.
    expect(states.size).toBe(8)
    expect([...kinds]).toEqual(
      expect.arrayContaining(['task', 'message', 'statusUpdate', 'artifactUpdate', 'tasks', 'history']),
    )
  })

  test('the task keeps every part as it was, with the one member that is set [DM-PART-001] [DM-ART-001]', async () => {
    const probe = await startProbe()
    const message = { ...userMessage(''), parts: [{ text: 'echo' }, ...parts] }
    const { result } = await probe.call(binding, 'SendMessage', { message })
    const { artifacts, history } = result.task as Task
    expect(artifacts![0]!.parts).toEqual(message.parts)
    expect(history![0]!.parts).toEqual(message.parts)
  })

  test.each<[string, Part[]]>([
    ['no part', []],
    ['a part without content', [{ filename: 'a.txt' }]],
    ['a part with two contents', [{ text: 'a', url: 'https://example.com/a' }]],
  ])(
    'an agent that gives %s fails its task, and nothing of it is sent [DM-MSG-001] [DM-PART-001] [DM-ART-001]',
    async (_, wrong) => {
      const agents = [
        testAgent((task) => task.artifact({ name: 'a', parts: wrong })),
        testAgent((task) => task.step('s', ({ out }) => out.append({ name: 'a', parts: wrong }))),
        testAgent((task) => task.working(wrong)),
        testAgent(async (task) => {
          await task.ask(wrong)
        }),
        testAgent(async () => wrong),
      ]
      for (const agent of agents) {
        const probe = await startProbe({ agent })
        const { result } = await probe.call(binding, 'SendMessage', { message: userMessage('go') })
        const { status, artifacts } = result.task as Task
        expect([status.state, artifacts]).toEqual(['TASK_STATE_FAILED', undefined])
        expect(status.message!.parts[0]!.text).toContain('The agent failed.')
      }
    },
  )

  test('the extended card has the fields of the specification alone, and the REQUIRED ones [CARD-STRUCT-001]', async () => {
    const extended: Agent = {
      ...conformance,
      extended: { skills: [{ id: 'more', name: 'More', description: 'More.', tags: ['more'] }] },
    }
    const callerTokens = { alice: 'a-token-of-alice-1' }
    const probe = await startProbe({ agent: extended, callerTokens })
    const faults = await judge(probe.url)
    const alice = { Authorization: 'Bearer a-token-of-alice-1' }
    const { result } = await probe.call(binding, 'GetExtendedAgentCard', {}, alice)
    expect(faults('AgentCard', result)).toEqual([])
  })
})

test('the judge of these tests sees what no message of the specification is', async () => {
  const faults = await judge((await startProbe()).url)
  const task = { id: 'a', status: { state: 'TASK_STATE_WORKING' } }
  expect(faults('Task', task)).toEqual([])
  for (const wrong of [
    { ...task, metadata: null },
    { ...task, status: {} },
    { ...task, status: { state: 'TASK_STATE_UNSPECIFIED' } },
    { ...task, status: { ...task.status, timestamp: 'yesterday' } },
    { ...task, history: [{ messageId: 'm', role: 'user', parts: [{ text: 'a' }] }] },
    { ...task, history: [{ role: 'ROLE_USER', parts: [{ text: 'a' }] }] },
    { ...task, artifacts: [{ artifactId: 'a' }] },
    { ...task, artifacts: [{ artifactId: 'a', parts: [{ text: 'a', url: 'b' }] }] },
    { ...task, artifacts: [{ artifactId: 'a', parts: [{ filename: 'a' }] }] },
  ]) {
    expect(faults('Task', wrong), JSON.stringify(wrong)).not.toEqual([])
  }
})
