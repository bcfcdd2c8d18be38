// Random events through the one writer, into a real database: what is stored is legal, and every reader sees the same of it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { taskAt } from '../feed/task-at.ts'
import { taskJson } from '../operations/view.ts'
import {
  type FoldableEvent,
  fold,
  isTerminal,
  type StreamResponse,
  type Task,
  type TaskState,
  taskStates,
} from '../protocol/index.ts'
import { bareAgent } from '../testing/bare-agent.ts'
import { checkTransition } from './transitions.ts'

const anyEvent = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      // Ends are rarer, so that there is something before them.
      state: fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(taskStates[2], taskStates[6], taskStates[8]) },
        fc.constantFrom(...taskStates),
      ),
      text: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
      question: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('artifact' as const),
      id: fc.constantFrom('a1', 'a2', 'a3'),
      text: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('long '.repeat(50))),
      append: fc.boolean(),
      lastChunk: fc.boolean(),
    }),
  },
)
/** A task begins in one of them, and none is in the other. */
const neverEntered: readonly TaskState[] = ['TASK_STATE_SUBMITTED', 'TASK_STATE_UNSPECIFIED']

type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never

test('whatever events an agent tries to make, no illegal one is stored, and all readers fold the same task', async () => {
  const { context } = await bareAgent(async () => {})
  const { store, writer } = context.core
  const { committed, writing } = store

  /** Writes the event; whether it was taken. One that is not must leave no trace. */
  async function tryOut(task: number, event: AnyEvent): Promise<boolean> {
    try {
      await store.write(() => {
        const row = writing.tasks.get(task)!
        if (event.kind === 'artifact') {
          const { id, text, append, lastChunk } = event
          writer.artifact(row, { artifactId: id, parts: [{ text }] }, { append, lastChunk })
        } else {
          const { state, text, question } = event
          const message = text === undefined ? undefined : writer.say(row, text)
          writer.status(row, state, { ...(message && { message, ...(question && { history: [message] }) }) })
        }
      })
      return true
    } catch {
      return false
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 25 }), fc.nat(), async (events, cut) => {
      const { task } = await store.write(() =>
        writer.create('owner', { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] }),
      )
      for (const event of events) {
        const { state } = committed.tasks.get(task)!
        const before = JSON.stringify(committed.tasks.get(task))
        const isLegal =
          !isTerminal(state) && (event.kind === 'artifact' || !neverEntered.includes(event.state))
        expect(await tryOut(task, event)).toBe(isLegal)
        if (!isLegal) expect(JSON.stringify(committed.tasks.get(task))).toBe(before)
      }

      const row = committed.tasks.get(task)!
      const log = [...committed.events.between(task, 0, row.lastEvent)]
      expect(log.map(({ n }) => n)).toEqual(log.map((_, index) => index + 1))
      const states = log.flatMap(({ state }) => state ?? [])
      states.slice(1).forEach((state, index) => {
        expect(() => checkTransition(states[index]!, state)).not.toThrow()
      })
      expect(states.filter(isTerminal).length).toBeLessThanOrEqual(1)
      if (states.some(isTerminal)) expect(log.at(-1)!.state).toBe(row.state)

      // A client that folds the stream, from the start or from any event on, and one that reads the task see the same.
      const frames = log.map(
        ({ frame, history }): FoldableEvent => ({
          frame: JSON.parse(frame) as StreamResponse,
          history: history ?? [],
        }),
      )
      const read = JSON.parse(taskJson(row, committed.events)) as Task
      expect(frames.reduce<Task | undefined>(fold, undefined)).toEqual(read)
      const at = 1 + (cut % log.length)
      expect(frames.slice(at).reduce<Task>(fold, taskAt(committed.events, task, at))).toEqual(read)
    }),
    { numRuns: 60 },
  )

  // The counts that are kept are those that counting gives.
  for (const state of taskStates) {
    const kept = committed.list.total({ owner: 'owner', state })
    expect([state, kept]).toEqual([state, committed.list.total({ owner: 'owner', state, since: 0 })])
  }
  expect(committed.list.total({ owner: 'owner' })).toBe(committed.list.total({ owner: 'owner', since: 0 }))
})
