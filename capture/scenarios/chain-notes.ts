// What capture 20 tells of the requests that its agents make themselves, in their order.
import type { Heard } from '../actor.ts'

/** Until the client knows of the wait. */
export const wayUp: Heard[] = [
  { tell: 'The release manager reads the planner’s card, to learn where and how to call it.' },
  {
    tell: 'It hands the change on. The messageId is made from its own task, so the same message sent again after a crash finds the same task.',
    notice:
      'The planner waits for an approval too, and says who does: the deployer’s words stand within its own.',
  },
  { tell: 'The planner reads the cards of those that it works with. First the reviewer’s.' },
  { tell: 'Then the deployer’s.' },
  { tell: 'The planner has the change reviewed.', notice: 'The reviewer asks for the branch.' },
  {
    tell: 'The planner was told the branch, and answers by itself.',
    notice: 'The reviewer approves of the change.',
  },
  {
    tell: 'So the planner has the build deployed.',
    notice: 'The deployer’s task waits for an operator. Here the request for approval begins.',
  },
  {
    tell: 'The planner subscribes before it tells anybody of the wait: so it does not miss an approval that comes at once (§7.6.2).',
    notice:
      'The first frame is the task that waits. The others came after the approval: working, the artifact, completed.',
  },
  {
    tell: `The planner’s task has moved to TASK_STATE_AUTH_REQUIRED. The release manager does with it what the planner did with the deployer’s, and
      moves its own.`,
    notice: 'After the approval the planner’s task went on by itself: working, its plan, completed.',
  },
]

/** The same for the second release. The cards are known by now. */
export const wayUpAgain: Heard[] = [
  { tell: 'The release manager hands this change on as well.' },
  { tell: 'The planner has it reviewed.' },
  { tell: 'It answers the reviewer’s question.' },
  { tell: 'It has the build deployed.', notice: 'The deployer waits for an operator again.' },
  { tell: 'It watches the deploy.', notice: 'The planner left this stream when its own task was canceled.' },
  { tell: 'The release manager watches the planner’s task.', notice: 'It left this stream in the same way.' },
]

/** The cancel. */
export const wayDown: Heard[] = [
  {
    tell: 'The release manager cancels the task that it began at the planner.',
    notice: 'The planner says what it had done before, and what became of the deploy.',
  },
  {
    tell: 'The planner cancels the deploy.',
    notice: 'Only the deployer knows whether anything was deployed: nothing was.',
  },
]
