import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeart } from './heart.ts'

const interval = 1600

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A member that counts its beats. */
const counting = () => ({
  beats: 0,
  beat() {
    this.beats += 1
  },
})

test('each member beats once in an interval, for the first time when one is over, whenever it came', () => {
  const heart = createHeart(interval)
  const [early, late] = [counting(), counting()]
  heart.join(early)
  vi.advanceTimersByTime(interval / 2)
  heart.join(late)
  vi.advanceTimersByTime(interval / 2 - 1)
  expect([early.beats, late.beats]).toEqual([0, 0])
  vi.advanceTimersByTime(1)
  expect([early.beats, late.beats]).toEqual([1, 0])
  vi.advanceTimersByTime(interval / 2)
  expect([early.beats, late.beats]).toEqual([1, 1])
  vi.advanceTimersByTime(10 * interval)
  expect([early.beats, late.beats]).toEqual([11, 11])
})

test('who has left beats no more, and with the last of them the timer goes', () => {
  const heart = createHeart(interval)
  const [one, two] = [counting(), counting()]
  heart.join(one)
  heart.join(two)
  expect(vi.getTimerCount()).toBe(1)
  heart.leave(one)
  vi.advanceTimersByTime(interval)
  expect([one.beats, two.beats]).toEqual([0, 1])
  heart.leave(two)
  expect(vi.getTimerCount()).toBe(0)
  heart.join(one)
  vi.advanceTimersByTime(interval)
  expect(one.beats).toBe(1)
})
