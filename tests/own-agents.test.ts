// The kit's own reviewer and deployer, as a client sees them: what they ask, what they wait for, and what an approval covers.
import { textOf } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import { ended, operate, shown } from './support/operator.ts'
import { bindings, type Probe, userMessage } from './support/probe.ts'
import { question, startDeployer, startReviewer } from './support/sdk-agents.ts'
import { get, send } from './support/send.ts'
import { allFrames, framesUntil } from './support/sse.ts'
import { says } from './support/talk.ts'

const staging = 'Deploy build 2026.10.06-1 to staging'
const deploymentIn = ({ artifacts = [] }: Task) =>
  artifacts.map(({ name, parts }) => [name, (parts[0]!.data as { environment: string }).environment])

describe.each(bindings)('over %s', (binding) => {
  const blocking = (probe: Probe, text: string, more: object = {}) =>
    send(probe, { binding, operation: 'SendMessage' }, { message: userMessage(text, more) })
  const subscribed = async (probe: Probe, id: string) => {
    const stream = await probe.stream(binding, 'SubscribeToTask', { id })
    const { value } = await stream.frames.next()
    return { first: value.task as Task, rest: allFrames(stream) }
  }

  test('BLOCKING-RETURNS-ON-QUESTION, STREAM-FIRST-EVENT: the reviewer asks at once, and never says that it works', async () => {
    const { probe, review } = await startReviewer(binding)
    const { status } = await blocking(probe, review)
    expect([status.state, textOf(status.message)]).toEqual(['TASK_STATE_INPUT_REQUIRED', question])
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage(review) })
    const frames = await allFrames(stream)
    expect(frames.map(({ task, statusUpdate }) => (task ?? statusUpdate)!.status.state)).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_INPUT_REQUIRED',
    ])
    expect(textOf(frames[1]!.statusUpdate!.status.message)).toBe(question)
  })

  test('BLOCKING-RETURNS-ON-QUESTION: a deploy returns with the request for its approval', async () => {
    const probe = await startDeployer(binding)
    const { id, status } = await blocking(probe, staging)
    expect(status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    expect(textOf(status.message)).toContain(`${probe.url}/approve/${id}`)
  })

  test('AUTH-TREATED-AS-TERMINAL: a deploy that waits can be watched, canceled, talked out of and approved', async () => {
    const probe = await startDeployer(binding)
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth += 1) ids.push((await blocking(probe, staging)).id)
    const [canceled, withdrawn, approved] = ids as [string, string, string]
    const streams = await Promise.all(ids.map((id) => subscribed(probe, id)))
    for (const { first } of streams) expect(first.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    expect((await probe.call(binding, 'CancelTask', { id: canceled })).result.status.state).toBe(
      'TASK_STATE_CANCELED',
    )
    const refused = await blocking(probe, 'reject, wrong region', { taskId: withdrawn })
    expect(refused.status.state).toBe('TASK_STATE_REJECTED')
    expect(says(refused)).toContain('reject, wrong region')
    expect((await operate(probe, 'approve', approved)).status).toBe(200)
    const ends = await Promise.all(
      streams.map(async ({ rest }) => (await rest).at(-1)!.statusUpdate!.status.state),
    )
    expect(ends).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_REJECTED', 'TASK_STATE_COMPLETED'])
  })

  test('AUTH-IS-NOT-A-GRANT: an approval covers what was asked, whatever was said meanwhile', async () => {
    const probe = await startDeployer(binding)
    const { id } = await blocking(probe, staging)
    const asked = await shown(probe, id)
    for (const text of ['also deploy prod', 'approved']) {
      expect((await blocking(probe, text, { taskId: id })).status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    }
    expect(await shown(probe, id)).toMatchObject({ operation: asked.operation, digest: asked.digest })
    await operate(probe, 'approve', id)
    expect(deploymentIn(await ended(probe, id))).toEqual([['deployment.json', 'staging']])
  })

  test('EARLY-CLOSE, AUTH-STREAM-STAYS: one stream carries a deploy from its request to its end', async () => {
    const probe = await startDeployer(binding)
    const stream = await probe.stream(binding, 'SendStreamingMessage', { message: userMessage(staging) })
    const { id } = (await framesUntil(stream, 'TASK_STATE_AUTH_REQUIRED'))[0]!.task!
    await operate(probe, 'approve', id)
    const rest = await allFrames(stream)
    expect(
      rest.map(
        ({ statusUpdate, artifactUpdate }) => artifactUpdate?.artifact.name ?? statusUpdate!.status.state,
      ),
    ).toEqual(['TASK_STATE_WORKING', 'deployment.json', 'TASK_STATE_COMPLETED'])
    expect(deploymentIn(await get(probe, id, binding))).toEqual([['deployment.json', 'staging']])
  })

  test('DUPLICATE-MESSAGEID: a request that comes several times is deployed once', async () => {
    const probe = await startDeployer(binding)
    const params = { message: userMessage(staging) }
    const made = await Promise.all([1, 2, 3].map(() => probe.call(binding, 'SendMessage', params)))
    const { id } = made[0]!.result.task
    expect(made.map(({ result }) => result.task.id)).toEqual([id, id, id])
    await operate(probe, 'approve', id)
    const done = await ended(probe, id)
    expect((await probe.call(binding, 'SendMessage', params)).result.task).toEqual(done)
    expect((await probe.call(binding, 'ListTasks', {})).result.totalSize).toBe(1)
  })
})
