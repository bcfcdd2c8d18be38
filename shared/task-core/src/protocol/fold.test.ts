import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FoldableEvent, fold, foldArtifact } from './fold.ts'
import type { Artifact, Message, Task, TaskArtifactUpdateEvent } from './types.ts'

const ids = { taskId: 'T', contextId: 'C' }
const update = (artifactId: string, text: string, append = false): TaskArtifactUpdateEvent => ({
  ...ids,
  artifact: { artifactId, parts: [{ text }] },
  ...(append ? { append } : {}),
})
const textsOf = (artifacts: Artifact[] = []) =>
  artifacts.map(({ artifactId, parts }) => `${artifactId}: ${parts.map((part) => part.text).join('|')}`)

const submitted: Task = {
  id: 'T',
  contextId: 'C',
  status: { state: 'TASK_STATE_SUBMITTED' },
  history: [{ messageId: 'M0', role: 'ROLE_USER', parts: [{ text: 'do it' }] }],
}
const message = (messageId: string): Message => ({
  messageId,
  role: 'ROLE_AGENT',
  parts: [{ text: messageId }],
})

const anyUpdate = fc
  .tuple(fc.constantFrom('a1', 'a2', 'a3'), fc.string(), fc.boolean())
  .map(([id, text, append]) => update(id, text, append))
const anyEvent: fc.Arbitrary<FoldableEvent> = fc.oneof(
  anyUpdate.map((artifactUpdate) => ({ frame: { artifactUpdate } })),
  fc
    .tuple(fc.constantFrom('TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'), fc.array(fc.string()))
    .map(([state, said]) => ({
      frame: { statusUpdate: { ...ids, status: { state: state as 'TASK_STATE_WORKING' } } },
      history: said.map(message),
    })),
)
const foldAll = (events: FoldableEvent[], from?: Task) => events.reduce<Task | undefined>(fold, from)!

test('ARTIFACT-REDUCE: one artifact for each id, in the order of first appearance', () => {
  const artifacts = [
    update('a1', 'Hello'),
    update('a1', ' world', true),
    update('a2', 'two'),
    update('a1', 'Bye'),
    update('a9', 'nine', true),
    update('a9', ' more', true),
  ].reduce(foldArtifact, [])
  expect(textsOf(artifacts)).toEqual(['a1: Bye', 'a2: two', 'a9: nine| more'])
})

test('ARTIFACT-REDUCE: whatever the updates, each artifact is its last whole one and what was appended since', () => {
  fc.assert(
    fc.property(fc.array(anyUpdate), (updates) => {
      const artifacts = updates.reduce(foldArtifact, [])
      const expected = [...new Set(updates.map(({ artifact }) => artifact.artifactId))].map((id) => {
        const own = updates.filter(({ artifact }) => artifact.artifactId === id)
        const whole = Math.max(
          own.findLastIndex(({ append }) => !append),
          0,
        )
        return `${id}: ${own
          .slice(whole)
          .map(({ artifact }) => artifact.parts[0]!.text)
          .join('|')}`
      })
      expect(textsOf(artifacts)).toEqual(expected)
    }),
  )
})

describe('fold', () => {
  test('a snapshot and what came after it give the same task as everything from the start', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), fc.nat(), (later, at) => {
        const events: FoldableEvent[] = [{ frame: { task: submitted } }, ...later]
        const cut = 1 + (at % events.length)
        const snapshot = structuredClone(foldAll(events.slice(0, cut)))
        expect(foldAll(events.slice(cut), snapshot)).toEqual(foldAll(events))
      }),
    )
  })

  test('the events are left as they were', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (later) => {
        const events: FoldableEvent[] = [{ frame: { task: submitted } }, ...later]
        const before = structuredClone(events)
        foldAll(events)
        expect(events).toEqual(before)
      }),
    )
  })

  test('a status replaces the one before, message and all, and adds what it says to the history', () => {
    const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-10-06T09:00:00.000Z' } as const
    const asked = { ...submitted, status: { ...submitted.status, message: message('Q') } }
    const event = { frame: { statusUpdate: { ...ids, status } }, history: [message('Q'), message('A')] }
    const task = fold(structuredClone(asked), event)
    expect(task.status).toEqual(status)
    expect(task.history!.map(({ messageId }) => messageId)).toEqual(['M0', 'Q', 'A'])
  })

  test('a task frame replaces all that was known', () => {
    const known = foldAll([{ frame: { task: submitted } }, { frame: { artifactUpdate: update('a1', 'x') } }])
    expect(fold(known, { frame: { task: submitted } })).toEqual(submitted)
  })

  test('a stream that does not begin with the task, or brings an event of another one, throws', () => {
    const artifactUpdate = update('a1', 'x')
    expect(() => fold(undefined, { frame: { artifactUpdate } })).toThrow('begins with the task')
    const other = { ...artifactUpdate, taskId: 'U' }
    expect(() => fold(structuredClone(submitted), { frame: { artifactUpdate: other } })).toThrow('task U')
    expect(() => fold(structuredClone(submitted), { frame: {} })).toThrow('begins with the task')
  })
})
