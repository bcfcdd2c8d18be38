// 10: cancel in every state that is not an end, and what is refused afterwards.
import type { AgentName } from '../kit.ts'
import { message, scenario } from '../story.ts'
import { smallDiff } from './diffs.ts'

const place = { contextId: 'ctx-cancel' }

export default scenario({
  title: 'A task that is canceled',
  about: `CancelTask asks the agent to end a task, wherever it stands: before it has begun, while it works, while it waits for an answer
    or for an approval. The status message of the canceled task says what was done and what was not. After that nothing moves it any more.`,
  agents: { conformance: {}, 'code-reviewer': {}, deployer: {} },
  async play({ actor }) {
    const client = actor('client')
    const begin = async (
      agent: AgentName,
      sent: ReturnType<typeof message>,
      tell: string,
      notice: string,
    ) => {
      const stream = await client.stream(agent, 'SendStreamingMessage', { message: sent }, { tell, notice })
      const [{ result }] = await stream.frames(1)
      return { ...stream, agent, id: result.task.id as string }
    }
    const cancel = ({ agent, id }: { agent: AgentName; id: string }, tell: string, notice: string) =>
      client.call(agent, 'CancelTask', { id }, { tell, notice })

    const busy = await begin(
      'conformance',
      message('msg-long', { text: 'working Counting; sleep 600000' }, place),
      'The conformance agent does what a message tells it: here, to be working, and to take ten minutes.',
      'The task is in TASK_STATE_WORKING, and the stream stays open. Its last frame comes with the cancel.',
    )
    await busy.frames(2)
    const queued = await begin(
      'conformance',
      message('msg-next', { text: 'complete done' }, place),
      'In the same context the client asks for something else.',
      `TASK_STATE_SUBMITTED: in one context the kit does one thing at a time, so this task has not begun. Its second frame comes with the
        cancel.`,
    )
    await cancel(
      queued,
      'Submitted: the client cancels the task that has not begun.',
      'The result is the task itself, without a field task around it (§3.1.5). Nothing was done.',
    )
    await queued.end()
    await cancel(
      busy,
      'Working: it cancels the one under way as well.',
      `The agent was told to stop, and did. An agent that cannot stop at once is given three seconds; the status message then names what may
        still finish.`,
    )
    await busy.end()

    const asking = await begin(
      'code-reviewer',
      message('msg-review', { data: { diff: smallDiff } }),
      'The client asks for a review, and does not say against which branch.',
      'The reviewer asks, and the stream ends with the question.',
    )
    await asking.end()
    const again = await begin(
      'code-reviewer',
      message('msg-branch', { text: 'mian' }, { taskId: asking.id }),
      'The client answers, and mistypes the branch.',
      'The task goes on, to TASK_STATE_WORKING, and asks again.',
    )
    await again.end()
    await cancel(
      asking,
      'Input required: the client cancels instead of answering.',
      'No review was written. The open question is gone; the one that was answered is history.',
    )

    const waiting = await begin(
      'deployer',
      message('msg-deploy', { text: 'Deploy build 2026.10.06-1 to staging' }),
      'The client asks for a deploy.',
      `The task waits for an operator. The further frames come with the next two requests: working twice and auth required for another
        build, then canceled.`,
    )
    await waiting.frames(3)
    const other = message('msg-other', { text: 'Build 2026.10.05-2 instead' }, { taskId: waiting.id })
    await client.call(
      'deployer',
      'SendMessage',
      { message: other, configuration: { returnImmediately: true } },
      {
        tell: 'The operator has not decided yet, and the client names another build. Its stream will tell what comes of it.',
        notice: 'The task took the message and works. On the stream it asks for another approval.',
      },
    )
    await waiting.frames(6)
    await cancel(
      waiting,
      'Auth required: the client no longer wants any deploy.',
      'Nothing was deployed. The stream, which had stayed open through the wait, ends too.',
    )
    await waiting.end()
    await actor('operator').post('deployer', `/approve/${waiting.id}`, undefined, {
      tell: 'The operator has not heard of it, and approves.',
      notice: '409: there is nothing left to approve, and nothing is deployed.',
    })
    await cancel(
      waiting,
      'The client is not sure that its cancel arrived, and sends it again.',
      'TaskNotCancelableError, -32002, as for every task that has ended. Nothing changes, so it is safe to send again.',
    )
    const after = message('msg-after', { text: 'Deploy it after all' }, { taskId: waiting.id })
    await client.call(
      'deployer',
      'SendMessage',
      { message: after },
      {
        tell: 'It changes its mind, and writes to the canceled task.',
        notice:
          'UnsupportedOperationError, -32004: a task that has ended takes no message. The way on is a new task.',
      },
    )

    const anew = await begin(
      'conformance',
      message('msg-anew', { text: 'complete done' }, place),
      'A new task may be in the context of a canceled one. Here the client asks again for what was queued.',
      'Nothing is before it now: it completes.',
    )
    await anew.end()
    await cancel(
      anew,
      'The client cancels what is completed.',
      'TaskNotCancelableError: the metadata of the error says in which state the task has ended.',
    )
  },
})
