// 04: a call that returns at once, and then the task is looked at.
import { scenario } from '../story.ts'
import { reviewMessage } from './review.ts'

export default scenario({
  title: 'A task that is polled',
  about: `A client wants the same review as in 03, and cannot hold a connection open. It asks for the task at once, with
    returnImmediately, and looks at it with GetTask until it has ended.`,
  agents: { 'code-reviewer': {} },
  async play({ actor, until }) {
    const client = actor('client')

    const { body: begun } = await client.call(
      'code-reviewer',
      'SendMessage',
      { message: reviewMessage, configuration: { returnImmediately: true } },
      {
        tell: 'The client asks for the review, and does not wait for it (§3.2.2).',
        notice: `The task was made and nothing has been done: TASK_STATE_SUBMITTED. Its id is all that the client needs from here on.`,
      },
    )
    const { id } = begun.result.task
    await until('code-reviewer', id, 'TASK_STATE_COMPLETED')
    await client.call(
      'code-reviewer',
      'GetTask',
      { id },
      {
        tell: `Later the client looks at the task. This is the last of its looks; before it there may be any number of others, which show
          TASK_STATE_SUBMITTED or TASK_STATE_WORKING.`,
        notice: `The task has ended, with what the blocking call of 03 returns: artifacts, status message and history. GetTask gives the
          task itself, where SendMessage has it in the field task.`,
      },
    )
    await client.call(
      'code-reviewer',
      'GetTask',
      { id, historyLength: 0 },
      {
        tell: `A client that polls has sent the message itself and need not get it back each time: historyLength says how many of the last messages to
          return (§3.2.4).`,
        notice: 'With 0 the field history is left out. The rest is the same.',
      },
    )
  },
})
