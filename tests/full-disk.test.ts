// A disk that is full for a while: who sends is told, and what was begun is taken up when there is room again.
import { connect } from '@a2a-kit/client'
import { type Message, realWorld } from '@a2a-kit/task-core'
import { expect, test } from 'vitest'
import { gate, testAgent } from './support/agent.ts'
import { fullDisk } from './support/disk.ts'
import { readableLog } from './support/log.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

test('SQLITE-BUSY: a message that cannot be stored is an error, and is taken when it comes again', async () => {
  const disk = fullDisk()
  const probe = await startProbe({ world: disk })
  const message = userMessage('complete well')
  disk.full = true
  const { error, status } = await probe.call('JSONRPC', 'SendMessage', { message })
  const text = 'The agent could not store this. Try again.'
  expect(error).toMatchObject({ code: -32603, reason: 'UNAVAILABLE', message: text })
  expect(status).toBe(503)
  disk.full = false
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message })
  expect(says(result.task)).toBe('well')
  expect((await probe.call('JSONRPC', 'ListTasks', {})).result.totalSize).toBe(1)
})

test('SQLITE-BUSY: an agent that calls this one tries again what could not be stored', async () => {
  const disk = fullDisk()
  const probe = await startProbe({ world: disk })
  disk.full = true
  let tries = 0
  const agent = await connect(probe.url, {
    observe(moment) {
      if (moment === 'send') tries += 1
      if (tries === 2) disk.full = false
    },
  })
  const { task } = await agent.sendMessage(userMessage('complete well') as Message)
  expect([says(task!), tries]).toEqual(['well', 2])
})

test('SQLITE-BUSY: a run whose end cannot be stored is run again, without the steps that it had done', async () => {
  const disk = fullDisk()
  const held = gate()
  let [runs, steps] = [0, 0]
  const agent = testAgent(async (task) => {
    runs += 1
    const nth = await task.step('count', () => ++steps)
    if (runs === 1) await task.step('hold', held.pass)
    return `step ${nth}`
  })
  const probe = await startProbe({ agent, world: disk })
  const id = await begin(probe)
  await held.entered
  disk.full = true
  held.open()
  await until('the second run', () => runs === 2)
  disk.full = false
  expect(says(await untilState(probe, id, 'COMPLETED'))).toBe('step 1')
})

test('SQLITE-BUSY: a run that went on before its commit failed is run again, and the log says so once', async () => {
  const { log, failures } = readableLog()
  let [failing, runs, steps] = [false, 0, 0]
  const world = {
    ...realWorld,
    moment(name: string) {
      if (!failing || name !== 'commit:before') return
      failing = false
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
    },
  }
  const agent = testAgent(async (task) => {
    runs += 1
    await task.step('before', () => {}) // the message is stored by now
    failing = runs === 1
    await task.working('one')
    await task.working('two')
    await task.step('after', () => ++steps)
  })
  const probe = await startProbe({ agent, world, log })
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage('go') })
  expect(result.task.status.state).toBe('TASK_STATE_COMPLETED')
  expect([runs, steps]).toEqual([2, 1])
  expect(failures()).toMatchObject([
    { taskId: result.task.id, msg: 'The store failed; the task is run again if it is stored.' },
  ])
})

test('SQLITE-BUSY: a cancel that cannot be stored is an error, and is carried out when the disk has room again', async () => {
  const disk = fullDisk()
  const probe = await startProbe({ world: disk })
  const { result } = await probe.call('JSONRPC', 'SendMessage', { message: userMessage('ask') })
  disk.full = true
  const { error } = await probe.call('JSONRPC', 'CancelTask', { id: result.task.id })
  expect(error).toMatchObject({ code: -32603, message: 'The agent could not store this. Try again.' })
  disk.full = false
  await untilState(probe, result.task.id, 'CANCELED')
})
