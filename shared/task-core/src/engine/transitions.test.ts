import { expect, test } from 'vitest'
import { type TaskState, taskStates } from '../protocol/index.ts'
import { checkTransition } from './transitions.ts'

const short = (state: string) => `TASK_STATE_${state}` as TaskState
const fromActive = 'WORKING INPUT_REQUIRED AUTH_REQUIRED COMPLETED FAILED CANCELED REJECTED'
  .split(' ')
  .map(short)

/** Where each state leads; a task never goes back to submitted, and never leaves an end. */
const legal: Record<string, TaskState[]> = {
  SUBMITTED: fromActive,
  WORKING: fromActive,
  INPUT_REQUIRED: fromActive,
  AUTH_REQUIRED: fromActive,
  COMPLETED: [],
  FAILED: [],
  CANCELED: [],
  REJECTED: [],
  UNSPECIFIED: [],
}

const pairs = Object.entries(legal).flatMap(([from, to]) =>
  taskStates.map((state) => [short(from), state, to.includes(state)] as const),
)

test('all nine states are looked at', () => {
  expect(Object.keys(legal).map(short).sort()).toEqual([...taskStates].sort())
})

test.each(pairs.filter(([, , allowed]) => allowed))('a task goes from %s to %s', (from, to) => {
  expect(() => checkTransition(from, to)).not.toThrow()
})

test.each(pairs.filter(([, , allowed]) => !allowed))('a task never goes from %s to %s', (from, to) => {
  expect(() => checkTransition(from, to)).toThrow(`cannot go from ${from} to ${to}`)
})
