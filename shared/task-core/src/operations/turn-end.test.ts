import { expect, test } from 'vitest'
import { activeScope, plainTracer, within } from '../telemetry/index.ts'
import { realWorld } from '../world.ts'
import { turnEnd } from './turn-end.ts'

test('what came in by one turn goes on together, after all of it was taken in, each in its own scope', async () => {
  const seen: string[] = []
  const telemetry = { tracer: plainTracer(realWorld) }
  const read = async () => {
    seen.push(`${activeScope()?.binding} taken in`)
    await turnEnd()
    seen.push(`${activeScope()?.binding} answered`)
  }
  const first = within({ telemetry, binding: 'first' }, read)
  await Promise.resolve()
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const second = within({ telemetry, binding: 'second' }, read)
  await Promise.all([first, second])
  expect(seen).toEqual(['first taken in', 'second taken in', 'first answered', 'second answered'])
})

test('what comes in after the turn waits for the end of its own', async () => {
  const ended = turnEnd()
  expect(turnEnd()).toBe(ended)
  await ended
  const next = turnEnd()
  expect(next).not.toBe(ended)
  await next
})
