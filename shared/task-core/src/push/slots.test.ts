import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

test('at most so many are under way, and the others come in their order, also after a failure', async () => {
  const within = createSlots(2)
  const begun: number[] = []
  const gates = [1, 2, 3, 4].map(() => Promise.withResolvers<void>())
  const done = gates.map(({ promise }, nth) =>
    within(async () => {
      begun.push(nth + 1)
      await promise
    }).catch((error) => error.message),
  )
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  await turn()
  expect(begun).toEqual([1, 2])
  gates[1]!.reject(new Error('it failed'))
  await turn()
  expect(begun).toEqual([1, 2, 3])
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(done)).toEqual([undefined, 'it failed', undefined, undefined])
  expect(begun).toEqual([1, 2, 3, 4])
})
