// 19: the planner's whole work with both agents: it answers what it knows, and passes on what it does not.
import { message, scenario } from '../story.ts'
import { smallDiff } from './diffs.ts'

export default scenario({
  title: 'A planner works with two agents that wait',
  about: `A client asks the planner to ship a change. The planner has the diff reviewed and answers the reviewer’s question itself, since it
    knows the base branch. It has the build deployed, and passes the request for approval on to its client by moving its own task to
    TASK_STATE_AUTH_REQUIRED (§7.6.2).`,
  agents: {
    'code-reviewer': {},
    deployer: { ids: { task: ['a31361b3-7c1d-4f0e-9d52-6b1f0c8e2a47'] } },
    planner: {},
  },
  async play({ actor, overheard, until, quiet }) {
    const client = actor('client')
    const operator = actor('operator')

    overheard([
      { tell: 'The planner looks up the reviewer: its card says where it is and which bindings it speaks.' },
      { tell: 'And the deployer.' },
      {
        tell: 'The planner has the diff reviewed, by a blocking call.',
        notice:
          'The reviewer asks which branch the diff is against. Its task waits in TASK_STATE_INPUT_REQUIRED.',
      },
      {
        tell: 'The change that the planner was sent names the base branch, so it answers by itself: a message on the reviewer’s task.',
        notice: 'The review is done, and approves.',
      },
      {
        tell: 'The planner has the build deployed, by a blocking call again.',
        notice:
          'The call returns at TASK_STATE_AUTH_REQUIRED. Nobody has approved, and no message of the planner can.',
      },
      {
        tell: `The planner subscribes at once. It tells nobody of the request before the first frame is here: the protocol does not replay what
          happened before a subscription, so what an approval set off in between would not come.`,
        notice: 'The first frame is the task as it stands. The others come after the approval.',
      },
    ])

    await client.get('planner', '/.well-known/agent-card.json', {
      tell: 'The client looks up the planner.',
      headers: { 'A2A-Version': '1.0' },
    })
    const { body: shipping } = await client.call(
      'planner',
      'SendMessage',
      {
        message: message('msg-ship', {
          data: {
            repository: 'payments-api',
            diff: smallDiff,
            build: '2026.10.06-1',
            environment: 'staging',
            baseBranch: 'main',
          },
        }),
      },
      {
        tell: `The client asks the planner to ship a change, by a blocking call. It returns when the planner’s task ends or waits; until then the
          planner talks to the others, in the exchanges that follow.`,
        notice:
          'The planner’s own task waits in TASK_STATE_AUTH_REQUIRED. Its status says whose request it passes on, and in whose words.',
      },
    )
    const deploy = 'a31361b3-7c1d-4f0e-9d52-6b1f0c8e2a47'

    await operator.post('deployer', `/approve/${deploy}`, undefined, {
      tell: 'The operator approves, at the deployer and outside of the protocol.',
      notice: 'The deployer goes on, the planner hears of it on its stream, and goes on too.',
    })
    const { id } = shipping.result.task
    await until('planner', id, 'TASK_STATE_COMPLETED')
    await quiet()

    await client.call(
      'planner',
      'GetTask',
      { id },
      {
        tell: 'The client asks how it went.',
        notice:
          'The artifact plan.json says which agents did what, what was asked on the way, and who answered.',
      },
    )
  },
})
