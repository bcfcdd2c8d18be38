// 11: a stream is lost while its task waits, and is taken up again: with replay and without.
import { message, scenario } from '../story.ts'
import { deployOlder, deployThis } from './requests.ts'

const replay = { 'A2A-Extensions': 'urn:a2a-kit:replay:1' }

export default scenario({
  title: 'A stream that is cut, and taken up again',
  about: `A stream is a way to watch a task, and losing it changes nothing of the task. A2A has no way to ask for what a lost stream missed: a new
    subscription begins with the task as it is now, and one to a task that has ended is refused (§3.1.6). The kit's replay extension adds one.
    Here both are tried, first where the task has ended meanwhile, then where it has moved and still waits.`,
  agents: { deployer: {} },
  async play({ actor, until, restart }) {
    const client = actor('client')
    const operator = actor('operator')

    const lost = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-deploy', deployThis) },
      {
        headers: replay,
        tell: `The client asks for a deploy and follows it as a stream. It names the extension, to learn whether the agent has it, and remembers the
          id of each event.`,
        notice: `The answer names the extension too: it is active. The stream was cut after its third event, which has the id 3: the task waits for
          an operator, and nobody watches.`,
      },
    )
    const [{ result }] = await lost.frames(3)
    const { id } = result.task
    await lost.cut(3)

    await operator.post('deployer', `/approve/${id}`, undefined, {
      tell: 'The operator approves meanwhile. The task goes on, and no stream is there to tell of it.',
    })
    await until('deployer', id, 'TASK_STATE_COMPLETED')
    await operator.get('deployer', `/approve/${id}`, {
      tell: 'The operator looks at the same address again.',
      notice: 'The task is completed.',
    })

    await client.call(
      'deployer',
      'SubscribeToTask',
      { id },
      {
        tell: 'The client is back, and subscribes again. First without the extension.',
        notice: 'UnsupportedOperationError, -32004: the task has ended, so there is nothing to subscribe to.',
      },
    )
    await client.call(
      'deployer',
      'GetTask',
      { id, historyLength: 0 },
      {
        tell: 'What a client does after -32004: it asks for the task.',
        notice:
          'The end of the task, with its artifact. Who approved when is in there; what happened in which order is not.',
      },
    )
    const resumed = await client.stream(
      'deployer',
      'SubscribeToTask',
      { id },
      {
        headers: { ...replay, 'Last-Event-ID': '3' },
        tell: 'Now it subscribes with the extension, and with the id of the last event that arrived.',
        notice: `The first frame is the task as it stood at event 3, so the client sees that nothing is missing in between. Then comes each event that
          it missed, once and in order: working, the artifact, completed. With the last one the stream ends.`,
      },
    )
    await resumed.end()

    const second = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-second', deployOlder) },
      {
        tell: 'A second deploy, without the extension.',
        notice: 'The stream was cut again while the task waits.',
      },
    )
    const [{ result: waiting }] = await second.frames(3)
    const { id: taskId, contextId } = waiting.task
    await second.cut(3)

    const { body: corrected } = await actor('colleague').call(
      'deployer',
      'SendMessage',
      { message: message('msg-correction', { text: '2026.10.06-1 instead' }, { taskId, contextId }) },
      {
        tell: 'While the client is away, a colleague corrects the build. A task that waits for an approval still takes messages.',
        notice: 'The task waits again, now for the approval of the other build, under an address of its own.',
      },
    )
    const { approveUrl } = corrected.result.task.status.message.metadata['urn:a2a-kit:approval:1']
    const { pathname, search } = new URL(approveUrl)
    await restart('deployer')
    const live = await client.stream(
      'deployer',
      'SubscribeToTask',
      { id: taskId },
      {
        headers: { 'Last-Event-ID': '3' },
        tell: `The client subscribes again. Between the correction and this request the agent was stopped and started again, which the task
          outlives. Last-Event-ID means nothing without the extension.`,
        notice: `The first frame is the task as it is now. That somebody corrected it stands in its history; the events of that time do not come
          again. The last three frames came live, after the approval.`,
      },
    )
    await live.frames(1)
    await operator.post('deployer', `/approve/${taskId}`, undefined, {
      tell: 'The operator approves under the address from before the correction.',
      notice:
        'Refused, and nothing has changed: who follows that address may not know what it would approve now.',
    })
    await operator.post('deployer', pathname + search, undefined, {
      tell: 'So under the address that came with the correction. It names the operation by its digest.',
      notice: 'The stream that the client opened last carries the rest.',
    })
    await live.end()
  },
})
