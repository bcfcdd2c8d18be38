import { describe, expect, test } from 'vitest'
import { backoff, defaultRetry, type RetryPolicy, realWorld, retrying } from './backoff.ts'
import { ConnectionError, GaveUpError, HttpError } from './errors.ts'
import { quickWorld } from './testing/fixtures.ts'

const down = new ConnectionError('No answer from h.')
const patience = (retry: Partial<RetryPolicy> = {}, random = () => 1) => {
  const world = quickWorld(random)
  return { world, retry: { ...defaultRetry, ...retry }, pauses: world.pauses }
}
const failing = (errors: unknown[]) => async () => {
  if (errors.length > 0) throw errors.shift()
  return 'done'
}

describe('retrying', () => {
  test('pauses twice as long each time, up to the longest pause', async () => {
    const given = patience()
    expect(await retrying('h', given, undefined, failing(Array(7).fill(down)))).toBe('done')
    expect(given.pauses).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  })

  test('takes off up to half of each pause by chance', async () => {
    const given = patience({}, () => 0)
    await retrying('h', given, undefined, failing([down, down]))
    expect(given.pauses).toEqual([100, 200])
  })

  test('waits at least as long as Retry-After says', async () => {
    const given = patience()
    const busy = new HttpError('Busy.', { status: 429, retryAfterMs: 3000 })
    await retrying('h', given, undefined, failing([busy]))
    expect(given.pauses).toEqual([3000])
  })

  test('gives up after so many tries, and says how often, how long and why', async () => {
    const given = patience({ attempts: 4 })
    const error = await retrying('h', given, undefined, failing(Array(9).fill(down))).catch(
      (reason) => reason,
    )
    expect(error).toBeInstanceOf(GaveUpError)
    expect(error).toMatchObject({
      tries: 4,
      elapsedMs: 1400,
      cause: down,
      message: 'Gave up on h after 4 tries in 1.4 s. No answer from h.',
    })
  })

  test('gives up rather than pause past the total time', async () => {
    const given = patience({ totalMs: 1000 })
    await expect(retrying('h', given, undefined, failing(Array(9).fill(down)))).rejects.toThrow(
      /after 3 tries/,
    )
    const busy = new HttpError('Busy.', { status: 503, retryAfterMs: 3_600_000 })
    await expect(retrying('h', given, undefined, failing([busy]))).rejects.toThrow(/after 1 try in 0\.0 s/)
  })

  test('throws what will not pass at once', async () => {
    const given = patience()
    await expect(
      retrying('h', given, undefined, failing([new HttpError('No.', { status: 401 })])),
    ).rejects.toThrow('No.')
    expect(given.pauses).toEqual([])
  })

  test('ends with the reason of an abort, also in the middle of a pause', async () => {
    const stop = new AbortController()
    const long = {
      world: realWorld,
      retry: { ...defaultRetry, firstMs: 60_000, longestMs: 60_000, totalMs: 1e9 },
    }
    const work = async () => {
      setImmediate(() => stop.abort(new Error('enough')))
      throw down
    }
    await expect(retrying('h', long, stop.signal, work)).rejects.toThrow('enough')
  })
})

test('after a reset the pauses are short again, and the time before does not count', async () => {
  const given = patience({ totalMs: 1000 })
  const tries = backoff('h', given)
  await tries.failed(down)
  await tries.failed(down)
  tries.reset()
  await tries.failed(down)
  await tries.failed(down)
  expect(given.pauses).toEqual([200, 400, 200, 400])
})
