// `follow` when the other agent cannot be reached, or does not do as it should.
import { textOf } from '@a2a-kit/task-core'
import { describe, expect, test } from 'vitest'
import { testAgent } from './support/agent.ts'
import { fakeRemote } from './support/fake-remote.ts'
import { following, started } from './support/following.ts'
import { readableLog } from './support/log.ts'
import { startProbe } from './support/probe.ts'
import { answer, begin, says } from './support/talk.ts'
import { until, untilState } from './support/wait.ts'

describe('a follow that cannot go on', () => {
  const away = new Error('no answer in 9 tries')

  test('fails the task with the reason when the caller’s answer does not get through', async () => {
    const { remote, probe, id } = await started()
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.down(away)
    await answer(probe, id, 'main')
    expect(says(await untilState(probe, id, 'FAILED'))).toMatch(/^reviewer: no answer in 9 tries/)
    await until('the end of the watch', () => remote.watchers() === 0)
  })

  test('fails the task with the reason when the other that works is given up', async () => {
    const { remote, probe, id } = await started()
    remote.ask('?')
    await untilState(probe, id, 'INPUT_REQUIRED')
    remote.work()
    await untilState(probe, id, 'WORKING')
    remote.giveUp(away)
    expect(says(await untilState(probe, id, 'FAILED'))).toMatch(/^reviewer: no answer in 9 tries/)
  })

  test('waits as long as the other’s wait is mirrored, however long the other is away', async () => {
    const { remote, probe, id } = await started()
    remote.wantApproval('May I?')
    await untilState(probe, id, 'AUTH_REQUIRED')
    remote.giveUp(away)
    await until('the end of the watch', () => remote.watchers() === 0)
    remote.down(undefined)
    remote.work()
    remote.end('COMPLETED')
    await untilState(probe, id, 'COMPLETED')
  })

  test('fails for good: when the agent caught it, it is not tried again', async () => {
    const remote = fakeRemote()
    remote.down(new Error('connection refused'))
    const agent = testAgent(async (task) => {
      try {
        await task.follow('review', { agent: remote.agent, message: 'Review.' })
      } catch (error) {
        return `Went on without: ${textOf(await task.ask((error as Error).message))}`
      }
    })
    const before = await startProbe({ agent })
    const id = await begin(before)
    expect(says(await untilState(before, id, 'INPUT_REQUIRED'))).toBe('reviewer: connection refused')
    await before.close()
    remote.down(undefined)
    const after = await startProbe({ agent, dataDir: before.dataDir })
    await answer(after, id, 'fine')
    expect(says(await untilState(after, id, 'COMPLETED'))).toBe('Went on without: fine')
    expect(remote.accepted).toEqual([])
  })

  test('a message and no task is not what it asked for', async () => {
    const remote = fakeRemote()
    remote.agent.sendMessage = async (message) => ({ message: { ...message, parts: [{ text: 'Hello!' }] } })
    const probe = await startProbe({ agent: following(remote) })
    const task = await untilState(probe, await begin(probe), 'FAILED')
    expect(says(task)).toBe('reviewer answered with a message and no task: Hello!')
  })

  test('a bug in answer() is told in the log alone', async () => {
    const remote = fakeRemote()
    const { log, failures } = readableLog()
    const agent = following(remote, {
      answer: () => {
        throw new TypeError('secret')
      },
    })
    const probe = await startProbe({ agent, log })
    const id = await begin(probe)
    await until('the first message', () => remote.state())
    remote.ask('?')
    expect(says(await untilState(probe, id, 'FAILED'))).toMatch(/^The agent failed. Its log explains it/)
    expect(JSON.stringify(failures())).toContain('secret')
  })
})
