// 08: a task that is refused: by a rule, by an operator, and after a change of mind.
import { message, scenario } from '../story.ts'

const staging = { text: 'Deploy build 2026.10.06-1 to staging' }

export default scenario({
  title: 'A task that is refused',
  about: `TASK_STATE_REJECTED is an end: the agent, or somebody whom it asked, decided that this will not be done. Nothing went wrong, and
    sending the same again helps only once the reason is gone. The status message says why.`,
  agents: { deployer: {} },
  async play({ actor }) {
    const client = actor('client')
    const operator = actor('operator')
    const deploy = (messageId: string, part: { text: string }, tell: string, notice: string) =>
      client.stream(
        'deployer',
        'SendStreamingMessage',
        { message: message(messageId, part) },
        { tell, notice },
      )

    const frozen = await deploy(
      'msg-production',
      { text: 'Deploy build 2026.10.06-1 to production' },
      'The client asks for a deploy to production.',
      `The agent has a rule against it and says so at once: from TASK_STATE_SUBMITTED to TASK_STATE_REJECTED, with the reason and until
        when it holds.`,
    )
    await frozen.end()

    const denied = await deploy(
      'msg-staging',
      staging,
      'The client asks for a deploy to staging instead. That takes an operator’s approval.',
      `The task waits in TASK_STATE_AUTH_REQUIRED. The last frame comes after the next request: TASK_STATE_REJECTED, with the operator and
        the reason.`,
    )
    const [{ result: asked }] = await denied.frames(3)
    await operator.post(
      'deployer',
      `/deny/${asked.task.id}`,
      { reason: 'The load test on staging runs until noon.' },
      {
        tell: 'The operator denies it, with a reason. Like an approval this is plain HTTP.',
        notice: 'What was decided, by whom and when. The stream of the client ends with it.',
      },
    )
    await denied.end()

    const corrected = await deploy(
      'msg-staging-again',
      staging,
      'Later the client asks again, in a new task: the rejected one has ended.',
      `Again the task waits. The last two frames come after the next request: TASK_STATE_WORKING, since the agent took the message, and
        TASK_STATE_REJECTED.`,
    )
    const [{ result: waiting }] = await corrected.frames(3)
    const { id: taskId, contextId } = waiting.task
    await client.call(
      'deployer',
      'SendMessage',
      {
        message: message('msg-correction', { text: 'To production, not to staging.' }, { taskId, contextId }),
        configuration: { returnImmediately: true },
      },
      {
        tell: `While the task waits, it takes messages (§7.6.1). The client corrects what it asked for, and does not wait for what comes of it
          (returnImmediately): its stream will tell.`,
        notice: `The task as it took the message. A correction is held to the same rules as a first request, so the stream ends as that of the
          deploy to production did. Nobody can approve the deploy to staging any more.`,
      },
    )
    await corrected.end()
  },
})
