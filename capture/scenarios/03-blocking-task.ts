// 03: a call that returns when the task has ended.
import { scenario } from '../story.ts'
import { reviewMessage } from './review.ts'

export default scenario({
  title: 'A call that waits for the end',
  about: `A client wants a review and has nothing else to do meanwhile. Its SendMessage is blocking, as it is by default: the answer is the task
    as it stands when it has ended or waits for something (§3.2.2). The same review is polled in 04 and streamed in 05.`,
  agents: { 'code-reviewer': {} },
  async play({ actor }) {
    const client = actor('client')

    await client.call(
      'code-reviewer',
      'SendMessage',
      { message: reviewMessage },
      {
        tell: `The client sends a diff as data, with the branch that it is against, so that there is nothing to ask. It makes up the
          messageId; the agent makes up the ids of the task and of its context.`,
        notice: `TASK_STATE_COMPLETED. The status message says in a line what came of it, and the artifacts are the results: review.md for
          people and review.json for programs.`,
      },
    )
    await client.call(
      'code-reviewer',
      'SendMessage',
      { message: reviewMessage },
      {
        tell: `Had the connection been lost before the answer came, the client could not know whether the review was begun. It sends the
          same message again, with the same messageId.`,
        notice:
          'The same task, with the same end: the agent recognises the message by its id (§3.3.1), and nothing was reviewed twice.',
      },
    )
  },
})
