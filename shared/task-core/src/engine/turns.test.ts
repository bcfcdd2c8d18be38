import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const { signal } = new AbortController()

/** Takes turns and notes in which order they are granted. */
function taking(most: number) {
  const turns = createTurns(most)
  const granted: string[] = []
  const take = (name: string, stop = signal) =>
    turns.take('caller', name.charAt(0), stop).then((turn) => {
      granted.push(turn ? name : `${name} left`)
      return turn
    })
  return { take, granted }
}

test('a context has one turn at a time, and others do not wait for it', async () => {
  const { take, granted } = taking(9)
  const first = take('a1')
  const second = take('a2')
  await take('b1')
  expect(granted).toEqual(['a1', 'b1'])
  const turn = await first
  turn!.end()
  turn!.end() // safe to repeat: it must not end the turn of the next
  const third = take('a3')
  await second
  expect(granted).toEqual(['a1', 'b1', 'a2'])
  ;(await second)!.end()
  await third
})

test('no more run at once than may, and room goes to the first whose context is free', async () => {
  const { take, granted } = taking(2)
  const a1 = take('a1')
  const b1 = take('b1')
  void take('a2')
  const c1 = take('c1')
  ;(await b1)!.end()
  await c1
  expect(granted).toEqual(['a1', 'b1', 'c1'])
  ;(await a1)!.end()
  await expect.poll(() => granted).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('who aborts leaves the queue, and holds up nobody', async () => {
  const { take, granted } = taking(1)
  const a1 = take('a1')
  const leaving = new AbortController()
  const left = take('a2', leaving.signal)
  const a3 = take('a3')
  leaving.abort()
  expect(await left).toBeUndefined()
  ;(await a1)!.end()
  await a3
  expect(granted).toEqual(['a1', 'a2 left', 'a3'])
  expect(await take('b1', AbortSignal.abort())).toBeUndefined()
})

test('a signal that aborts later does not take a turn away', async () => {
  const { take, granted } = taking(1)
  const leaving = new AbortController()
  const a1 = await take('a1', leaving.signal)
  const b1 = take('b1')
  leaving.abort()
  a1!.end()
  await b1
  expect(granted).toEqual(['a1', 'b1'])
})

test('one caller leaves a tenth of the turns to the others, however many of its tasks wait before theirs', async () => {
  const turns = createTurns(20)
  const granted: string[] = []
  const take = (owner: string, context: number) =>
    turns.take(owner, String(context), signal).then((turn) => {
      granted.push(owner)
      return turn!
    })
  const [first] = Array.from({ length: 30 }, (_, context) => take('mallory', context))
  await take('bob', 1)
  expect(granted).toEqual([...Array(18).fill('mallory'), 'bob'])
  ;(await first)!.end()
  await expect.poll(() => granted.length).toBe(20)
  expect(granted.at(-1)).toBe('mallory')
  await take('bob', 2)
  expect(turns.counts()).toEqual({ running: 20, queued: 11 })
})
