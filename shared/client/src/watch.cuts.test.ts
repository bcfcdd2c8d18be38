// A task whose stream is cut at random bytes, again and again, while it goes on.
import { fold, replayExtension, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connect } from './connect.ts'
import { bothBindings, type Exchange, fakeAgent } from './testing/fake-agent.ts'
import { chunkOf, drain, quickWorld, statusOf, taskIn } from './testing/fixtures.ts'

// The event with index n has the id n + 1.
const log: StreamResponse[] = [
  { task: taskIn('TASK_STATE_WORKING') },
  ...Array.from({ length: 20 }, (_, n) => chunkOf(`<${n}>`)),
  statusOf('TASK_STATE_COMPLETED'),
]
const foldTo = (count: number): Task =>
  log.slice(0, count).reduce<Task | undefined>((task, frame) => fold(task, { frame }), undefined)!

interface Cut {
  /** How much of a connection comes through before it is reset. */
  bytes: number
  /** How many events happen before the client is back. */
  meanwhile: number
}

/** An agent whose task goes on as its stream is read, and that cuts the nth stream at the nth cut. */
function cutting(cuts: Cut[], replays: boolean) {
  let happened = 1
  let connection = 0
  return ({ method, headers, params, body, result, error, stream }: Exchange) => {
    if (method === 'GetTask') return result(foldTo(happened))
    if (!replays && happened === log.length) return error('UnsupportedOperationError')
    const from = replays ? Number(headers['last-event-id'] ?? happened) : happened
    const frames = [{ task: foldTo(from) }, ...log.slice(from)]
    const ids = frames.map((_, n) => from + n)
    const wrap = (frame: object) => (params === body ? frame : { jsonrpc: '2.0', id: 1, result: frame })
    const texts = frames.map((frame, n) => `id: ${ids[n]}\ndata: ${JSON.stringify(wrap(frame))}\n\n`)
    const cut = cuts[connection++]
    const out = stream()
    if (!cut) {
      happened = log.length
      return out.raw(texts.join('')).end()
    }
    const sent = texts.join('').slice(0, cut.bytes)
    const whole = sent.split('\n\n').length - 1
    happened = Math.min(log.length, Math.max(happened, from + whole) + cut.meanwhile)
    out.raw(sent).reset()
  }
}

const anyCuts = fc.array(fc.record({ bytes: fc.nat(3000), meanwhile: fc.nat(2) }), { maxLength: 6 })
const options = () => ({ world: quickWorld(), retry: { attempts: 50, totalMs: 1e9 } })

test.each(bothBindings)(
  'CLIENT-CUT-VS-END: with replay, random cuts over %s lose and repeat no event',
  async (binding) => {
    await fc.assert(
      fc.asyncProperty(anyCuts, async (cuts) => {
        const card = { capabilities: { streaming: true, extensions: [{ uri: replayExtension }] } }
        const agent = await fakeAgent(cutting(cuts, true), { binding, card })
        const { got, error } = await drain((await connect(agent.url, options())).watch('T'))
        await agent.close()
        expect(error).toBeUndefined()
        const ids = got.map(({ eventId }) => Number(eventId))
        expect(ids).toEqual(Array.from({ length: log.length - ids[0]! + 1 }, (_, n) => ids[0]! + n))
        expect(got.at(-1)?.task).toEqual(foldTo(log.length))
      }),
      { numRuns: 60 },
    )
  },
)

test.each(bothBindings)(
  'RESUB-GAP: without replay, random cuts over %s give the same text in the end',
  async (binding) => {
    await fc.assert(
      fc.asyncProperty(anyCuts, async (cuts) => {
        const agent = await fakeAgent(cutting(cuts, false), { binding })
        const { got, error } = await drain((await connect(agent.url, options())).watch('T'))
        await agent.close()
        expect(error).toBeUndefined()
        expect(got.at(-1)?.task).toEqual(foldTo(log.length))
      }),
      { numRuns: 60 },
    )
  },
)
