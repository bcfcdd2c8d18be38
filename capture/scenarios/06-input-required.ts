// 06: a question is answered on the task.
import { message, scenario } from '../story.ts'
import { smallDiff } from './diffs.ts'

export default scenario({
  title: 'A question is answered on the task',
  about: `A reviewer is sent a diff and cannot know which branch it is against. Its task stops in TASK_STATE_INPUT_REQUIRED with the
    question, and goes on when the answer arrives as a message on the same task.`,
  agents: {
    'code-reviewer': {
      ids: {
        task: ['e5c95b09-6d4b-4b3b-8693-91e81472d12f'],
        context: ['49c5a238-4158-455d-8d63-b2cb39c0ecac'],
      },
    },
  },
  async play({ actor }) {
    const planner = actor('planner')

    const { body: asked } = await planner.call(
      'code-reviewer',
      'SendMessage',
      { message: message('msg-review', { text: `Please review this diff of payments-api:\n${smallDiff}` }) },
      {
        tell: 'The planner asks for a review, and says nothing of a branch. The call is blocking: it returns when the task ends or waits.',
        notice: `The task waits: TASK_STATE_INPUT_REQUIRED. The question is the message of its status; the history holds only what the planner
          sent. The metadata of the question says which data would answer it as well: that is an extension of the kit.`,
      },
    )

    const { id: taskId, contextId } = asked.result.task
    await planner.call(
      'code-reviewer',
      'SendMessage',
      { message: message('msg-branch', { text: 'main' }, { taskId, contextId }) },
      {
        tell: 'The answer is an ordinary message that names the task and its context (§3.4.3). Without the taskId it would start another task.',
        notice:
          'The same task, completed. The question is gone from the status and stands in the history, followed by its answer.',
      },
    )
  },
})
