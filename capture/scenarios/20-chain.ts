// 20: a request for approval passed up two agents, and a cancel carried down.
import { message, scenario } from '../story.ts'
import { wayDown, wayUp, wayUpAgain } from './chain-notes.ts'
import { smallDiff } from './diffs.ts'

const change = (build: string) => ({
  data: { repository: 'payments-api', diff: smallDiff, build, environment: 'staging', baseBranch: 'main' },
})

export default scenario({
  title: 'A request for approval goes up a chain, and a cancel goes down',
  about: `A release manager has a change shipped by the planner, and the planner has it deployed by the deployer, which waits for an operator. An agent
    whose task depends on one that waits can pass the request on, by moving its own task to TASK_STATE_AUTH_REQUIRED (§7.6.2): so the request comes up two
    agents, to a client that knows only the first. One release is approved, another is canceled at the top.`,
  agents: { 'release-manager': {}, planner: {}, 'code-reviewer': {}, deployer: {} },
  async play({ actor, overheard, until }) {
    const client = actor('client')
    const operator = actor('operator')

    overheard(wayUp)
    const { body: released } = await client.call(
      'release-manager',
      'SendMessage',
      { message: message('msg-release', change('2026.10.06-1')) },
      {
        tell: 'The client asks for a release. The call is blocking, so it returns when the task ends or waits.',
        notice: `Each agent says whose words it passes on, so the client sees who asks: the release manager quotes the planner, which quotes the
          deployer. The link leads to the deployer, and what is to be approved stands beside it as data.`,
      },
    )
    const first = released.result.task
    await operator.post('deployer', linkIn(first), undefined, {
      tell: 'The client tells an operator, who approves at the deployer. The agents in between have no part in it.',
    })
    await until('release-manager', first.id, 'TASK_STATE_COMPLETED')
    await client.call(
      'release-manager',
      'GetTask',
      { id: first.id, historyLength: 0 },
      {
        tell: 'The client asks what became of the release.',
        notice: 'Completed, as the tasks below it are. No message was needed to make them go on.',
      },
    )

    overheard(wayUpAgain)
    const { body: unwanted } = await client.call(
      'release-manager',
      'SendMessage',
      { message: message('msg-unwanted', change('2026.10.05-2')) },
      {
        tell: 'The client asks for another release, of an older build.',
        notice: 'It waits for an approval, as the first one did.',
      },
    )
    const second = unwanted.result.task

    overheard(wayDown)
    const { body: canceled } = await client.call(
      'release-manager',
      'CancelTask',
      { id: second.id },
      {
        tell: 'Before anybody approves, the client cancels.',
        notice: `The answer comes when the tasks below are canceled as well. Each agent says in its status message what became of the one below it: nothing was
          deployed.`,
      },
    )
    await operator.post('deployer', linkIn(second), undefined, {
      tell: 'An operator who still has the link tries to approve.',
      notice: '409: the request ended with its task, and the link is dead.',
    })

    const said = JSON.stringify(canceled.result.status.message.parts)
    const idAt = (agent: string) => new RegExp(`${agent}'s task (\\S+)`).exec(said)![1]!
    const chain = [
      ['release-manager', second.id, 'The client reads the three tasks, from the top. First its own.'],
      ['planner', idAt('planner'), 'Then the planner’s. Its id stands in the words of the release manager.'],
      ['deployer', idAt('deployer'), 'Then the deployer’s.'],
    ] as const
    for (const [agent, id, tell] of chain) {
      await client.call(agent, 'GetTask', { id, historyLength: 0 }, { tell, notice: 'TASK_STATE_CANCELED.' })
    }
  },
})

/** The path at which an operator approves what the task waits for. */
const linkIn = ({
  status,
}: {
  status: { message: { metadata: Record<string, { approveUrl: string }> } }
}): string => new URL(status.message.metadata['urn:a2a-kit:approval:1']!.approveUrl).pathname
