import { pino } from 'pino'
import { expect, test } from 'vitest'
import { TaskError } from '../../define-agent.ts'
import { defaultSettings } from '../../settings.ts'
import { StoreError } from '../../store/index.ts'
import { realWorld } from '../../world.ts'
import { createStep, type StepRun } from './step.ts'

/** Steps over a store in memory that may fail. */
function steps({ fresh = async () => {} } = {}) {
  const records = new Map<string, unknown>()
  const disk = { full: false }
  const leaving = new AbortController()
  const run = {
    core: {
      store: {
        append(work: () => unknown) {
          if (disk.full) throw new StoreError('The store could not commit.')
          return work()
        },
        stored: async () => {},
        afterCommit: (then: () => void) => then(),
      },
      world: realWorld,
      settings: { ...defaultSettings, streamArtifacts: true },
      writer: { artifact: () => {} },
      log: pino({ level: 'silent' }),
    },
    journal: {
      next: (kind: string, name: string) => `${kind}:${name}#1`,
      get: (key: string) => records.get(key),
      put: (key: string, value: unknown) => records.set(key, value),
    },
    first: { id: 'task' },
    row: () => ({ state: 'TASK_STATE_WORKING' }),
    call: (_name: string, work: () => Promise<unknown>) => work(),
    signal: leaving.signal,
    fresh,
  } as unknown as StepRun
  return { step: createStep(run), records, disk, leaving }
}

test('a step is done once, and then remembered', async () => {
  const { step } = steps()
  let calls = 0
  const work = () => ({ calls: ++calls })
  expect([await step('count', work), await step('count', work)]).toEqual([{ calls: 1 }, { calls: 1 }])
})

test('the failure of its work is remembered, with whether its text is for the caller', async () => {
  const { step, records } = steps()
  for (const error of [new TaskError('for the caller'), new Error('for the log')]) {
    records.clear()
    for (const _time of ['done', 'remembered']) {
      const failing = step('fail', () => Promise.reject(error))
      await expect(failing).rejects.toThrow(error.message)
      expect((await failing.catch((thrown) => thrown)) instanceof TaskError).toBe(error instanceof TaskError)
    }
  }
})

test('a store that fails while the work appends is not the work’s failure: nothing is remembered', async () => {
  const { step, records, disk } = steps()
  const writing = step('write', async ({ out }) => {
    await out.append({ name: 'a', text: '1' })
    disk.full = true
    await out.append({ name: 'a', text: '2' })
  })
  await expect(writing).rejects.toBeInstanceOf(StoreError)
  disk.full = false
  expect([...records.keys()]).toEqual([])
})

test('what was done is written once the store takes it again, and is not done again', async () => {
  const { step, records, disk } = steps()
  let calls = 0
  const done = step('count', () => {
    disk.full = true
    setTimeout(() => Object.assign(disk, { full: false }), 100)
    return ++calls
  })
  expect(await done).toBe(1)
  expect([...records]).toEqual([['step:count#1', { value: 1 }]])
})

test('work that stops because it was aborted has not failed: nothing is remembered', async () => {
  const { step, records, leaving } = steps()
  const stopped = step('wait', async () => {
    leaving.abort()
    throw new Error('stopped half way')
  })
  await expect(stopped).rejects.toThrow('stopped half way')
  expect([...records.keys()]).toEqual([])
})

test('work does not begin that was stopped before', async () => {
  const { step, records, leaving } = steps({ fresh: async () => leaving.abort() })
  let begun = false
  const stopped = step('begin', () => {
    begun = true
  })
  await expect(stopped).rejects.toThrow('aborted')
  expect([begun, [...records.keys()]]).toEqual([false, []])
})
