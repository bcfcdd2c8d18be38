// Streams that break: what a client knows after any number of cuts is what happened, with the replay extension and without.
import {
  fold,
  isTerminal,
  replayExtension,
  type StreamResponse,
  type Task,
} from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { type CutFrame, streamUntilCut } from './support/cut.ts'
import {
  type JsonBinding,
  jsonBindings,
  type Probe,
  startProbe,
  talkTo,
  userMessage,
} from './support/probe.ts'
import { seeded } from './support/random.ts'
import { untilState } from './support/wait.ts'

const atOnce = 10
const chunks = 24
/** Cuts fall anywhere up to here: somewhat more than what a stream of the whole task begins with. */
const largest = 6500
const { seed, below } = seeded()

const wholeText = Array.from({ length: chunks }, (_, nth) => `chunk-${nth + 1} `.padEnd(150, '.')).join('')
const textIn = (task: Task) => task.artifacts?.[0]?.parts.map(({ text }) => text).join('') ?? ''
const withoutHistory = ({ history: _history, ...task }: Task) => task
const replay = (lastEventId: string) => ({ 'A2A-Extensions': replayExtension, 'Last-Event-ID': lastEventId })

/** What a client has seen of a task: the task as it knows it, the number of the last event, and how often it was cut. */
interface Seen {
  task?: Task
  last: number
  cuts: number
}

interface Client {
  binding: JsonBinding
  replays: boolean
  /** Comes back only when the task has ended. */
  comesLate: boolean
}

/** Reads one stream of the task up to a random cut, and adds what came whole to `seen`. */
async function readOn(
  base: string,
  { binding, replays }: Client,
  message: object,
  seen: Seen,
): Promise<void> {
  const id = seen.task?.id
  const request = {
    binding,
    operation: id ? ('SubscribeToTask' as const) : ('SendStreamingMessage' as const),
    params: id ? { id } : { message },
    headers: replays && id ? replay(`${seen.last}`) : {},
  }
  const { frames, ended, refusal } = await streamUntilCut(base, request, 1 + below(largest))
  if (refusal) {
    // It has ended meanwhile, which only a replay tells: GetTask gives its end.
    expect([refusal.code, replays]).toEqual([binding === 'JSONRPC' ? -32004 : 400, false])
    seen.task = (await talkTo(base).call(binding, 'GetTask', { id })).result
  } else if (!ended) seen.cuts += 1
  for (const [index, frame] of frames.entries()) {
    if (index === 0 && seen.task && replays) expectSame(frame, seen)
    else take(frame, seen)
  }
}

/** A replay begins with the task exactly as the client knows it: nothing is skipped, nothing comes again. */
function expectSame({ id, task }: CutFrame, seen: Seen): void {
  expect(id).toBe(`${seen.last}`)
  expect(withoutHistory(task!)).toEqual(withoutHistory(seen.task!))
}

function take({ id, ...event }: CutFrame, seen: Seen): void {
  if (event.task) expect(Number(id)).toBeGreaterThanOrEqual(seen.last)
  else expect(id, 'the next event').toBe(`${seen.last + 1}`)
  seen.task = fold(seen.task, { frame: structuredClone(event) as StreamResponse })
  seen.last = Number(id)
}

/** Follows a new task through its cuts to its end. */
async function followThrough(server: { probe: Probe }, client: Client): Promise<Seen> {
  const seen: Seen = { last: 0, cuts: 0 }
  const message = userMessage(`working; chunks ${chunks} every 3ms of 150; complete`)
  while (!seen.task || !isTerminal(seen.task.status.state)) {
    try {
      await readOn(`${server.probe.url}/a2a`, client, message, seen)
      if (client.comesLate && seen.task) await untilState(server.probe, seen.task.id, 'COMPLETED')
    } catch (error) {
      if (!isDown(error)) throw error
    }
  }
  return seen
}

/** The server is being started again: nobody answers, or it says that it stops. */
const isDown = (error: unknown) =>
  /ECONNREFUSED|ECONNRESET|socket hang up|fetch failed|503/.test(
    `${error} ${(error as NodeJS.ErrnoException).code}`,
  )

describe.each([
  ['with the replay extension every event is seen once, in order', true, 200],
  ['without it, the snapshot and what follows give the same text', false, 100],
])('RESUB-GAP: after cuts in the middle of frames, %s', (_, replays, cuts) => {
  test.each([
    ['artifacts in chunks', true, cuts],
    ['artifacts whole', false, 10],
  ])(`%s (seed ${seed})`, async (_chunks, streamArtifacts, least) => {
    const settings = { streamArtifacts }
    const server = { probe: await startProbe({ settings }) }
    let made = 0
    for (let round = 0; made < least || round < 2; round += 1) {
      const clients = Array.from({ length: atOnce }, (_, nth) =>
        followThrough(server, { binding: jsonBindings[nth % 2]!, replays, comesLate: nth % 5 === 0 }),
      )
      if (round % 2 === 1) {
        const { dataDir, port, close } = server.probe
        await close()
        server.probe = await startProbe({ settings, dataDir, port })
      }
      for (const { task, cuts: had } of await Promise.all(clients)) {
        made += had
        expect(textIn(task!)).toBe(wholeText)
        const { result } = await server.probe.call('JSONRPC', 'GetTask', { id: task!.id })
        expect(withoutHistory(task!)).toEqual(withoutHistory(result))
      }
    }
  })
})
