// Clients, an operator, time and restarts in any order, against a model of what a task does: the agent does the same.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { call, command, hasEnded, onTask, startModelled } from './support/modelled.ts'
import { operate, shown } from './support/operator.ts'
import { userMessage } from './support/probe.ts'

/** Longer than any wait; shorter, however often it comes, than tasks are kept here. */
const fortnight = 14 * 24 * 3600 * 1000

const begin = () =>
  command('begin', async ({ tasks }, real) => {
    const message = userMessage('begin')
    const { result } = await call(real, 'SendMessage', { message })
    tasks.push({ id: result.task.id, state: 'TASK_STATE_INPUT_REQUIRED', deeds: 0, first: message })
  })

const say = (nth: number) =>
  onTask('say', nth, {
    refused: hasEnded,
    async act(task, real) {
      const message = userMessage(`wish ${nth}`, { taskId: task.id })
      const { result, error } = await call(real, 'SendMessage', { message })
      if (hasEnded(task)) expect(error?.reason).toBe('UNSUPPORTED_OPERATION')
      else expect(result.task.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
      if (!hasEnded(task)) task.state = 'TASK_STATE_AUTH_REQUIRED'
    },
  })

const repeat = (nth: number) =>
  onTask('repeat', nth, {
    refused: () => true,
    async act(task, real) {
      const configuration = { returnImmediately: true }
      const { result } = await call(real, 'SendMessage', { message: task.first, configuration })
      expect(result.task.id).toBe(task.id)
    },
  })

const cancel = (nth: number) =>
  onTask('cancel', nth, {
    refused: hasEnded,
    async act(task, real) {
      const { result, error } = await call(real, 'CancelTask', { id: task.id })
      if (hasEnded(task)) expect(error?.reason).toBe('TASK_NOT_CANCELABLE')
      else expect(result.status.state).toBe('TASK_STATE_CANCELED')
      if (!hasEnded(task)) task.state = 'TASK_STATE_CANCELED'
    },
  })

const decide = (what: 'approve' | 'deny') => (nth: number) =>
  onTask(what, nth, {
    refused: ({ state }) => state !== 'TASK_STATE_AUTH_REQUIRED',
    async act(task, real) {
      const waits = task.state === 'TASK_STATE_AUTH_REQUIRED'
      const { digest, approve = '' } = await shown(real.probe, task.id)
      // What was asked for after something else is approved by what it is alone.
      if (waits && what === 'approve' && `${approve}`.includes('?digest=')) {
        expect((await operate(real.probe, what, task.id)).status).toBe(409)
      }
      const { status } = await operate(real.probe, what, task.id, waits ? { digest } : undefined)
      expect(status).toBe(waits ? 200 : task.expired ? 410 : 409)
      if (!waits) return
      task.state = what === 'approve' ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_REJECTED'
      task.deeds = what === 'approve' ? 1 : 0
    },
  })

/** An approval is used at once here: there is never one that can be taken back. */
const revoke = (nth: number) =>
  onTask('revoke', nth, {
    refused: () => true,
    async act({ id }, real) {
      expect((await operate(real.probe, 'revoke', id)).status).toBe(409)
    },
  })

const restart = () => command('restart', (_, real) => real.restart(0))

/** Every wait is over then. */
const wait = () =>
  command('wait a fortnight', async ({ tasks }, real) => {
    await real.restart(fortnight)
    for (const task of tasks.filter((one) => !hasEnded(one))) {
      task.expired = task.state === 'TASK_STATE_AUTH_REQUIRED'
      task.state = 'TASK_STATE_FAILED'
    }
  })

test('whatever clients, an operator, time and restarts do, in any order, each task is where the model says', async () => {
  const some = [
    say,
    say,
    repeat,
    repeat,
    cancel,
    decide('approve'),
    decide('approve'),
    decide('deny'),
    revoke,
  ]
  const anyCommand = [
    ...some.map((make) => fc.nat(99).map(make)),
    ...[begin, begin, begin, begin, restart, wait].map((make) => fc.constant(0).map(make)),
  ]
  await fc.assert(
    fc.asyncProperty(fc.commands(anyCommand, { maxCommands: 20, size: 'max' }), async (commands) => {
      const real = await startModelled()
      try {
        await fc.asyncModelRun(() => ({ model: { tasks: [] }, real }), commands)
      } finally {
        await real.probe.close()
      }
    }),
    { numRuns: 8 },
  )
})
