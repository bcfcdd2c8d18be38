// 12: the tasks of one conversation, filtered and in pages.
import { version } from '../actor.ts'
import { message, scenario } from '../story.ts'

const contextId = 'ctx-release'

export default scenario({
  title: 'The tasks of a conversation',
  about: `A client has lost its notes, and asks the agent what became of its requests. ListTasks gives the tasks that the caller may see, the
    newest status first, by filters and in pages (§3.1.4). All of these requests were made in one context, whose id the client had made up.`,
  agents: { deployer: {} },
  async play({ actor, until }) {
    const client = actor('client')
    const deploy = async (messageId: string, what: string, tell: string, notice: string): Promise<string> => {
      const sent = message(messageId, { text: `Deploy build ${what}` }, { contextId })
      const { body } = await client.call('deployer', 'SendMessage', { message: sent }, { tell, notice })
      return body.result.task.id
    }
    const list = (filters: Record<string, string | number | boolean>, tell: string, notice: string) =>
      client.call('deployer', 'ListTasks', { contextId, ...filters }, { tell, notice })

    const first = await deploy(
      'msg-first',
      '2026.10.05-2 to staging',
      'The client asks for a first deploy.',
      'The task waits for an operator, and does not hold up the context meanwhile.',
    )
    await deploy(
      'msg-production',
      '2026.10.06-1 to production',
      'It asks for another.',
      'Rejected: production is frozen.',
    )
    await deploy('msg-unknown', '2026.11.01-1 to staging', 'And another.', 'Failed: there is no such build.')
    await actor('operator').post('deployer', `/approve/${first}`, undefined, {
      tell: 'The operator approves the first one.',
      notice: 'The deploy goes on by itself.',
    })
    await until('deployer', first, 'TASK_STATE_COMPLETED')
    await client.call(
      'deployer',
      'GetTask',
      { id: first, historyLength: 0 },
      { tell: 'The client looks at it until it is done.', notice: 'Completed.' },
    )
    await deploy(
      'msg-last',
      '2026.10.06-1 to staging',
      'It asks for a last deploy.',
      'This one waits for an operator.',
    )

    await list(
      { historyLength: 0 },
      'What became of all that? The messages themselves are not needed: historyLength is 0.',
      `Four tasks, the newest status first: the one that was asked for first is second, since it was completed after two others had ended.
        totalSize counts what fits the filters; nextPageToken is empty, so this is all. Artifacts are left out.`,
    )
    await list(
      { status: 'TASK_STATE_AUTH_REQUIRED', historyLength: 0 },
      'Which of them wait for an operator?',
      'One. Its status says where to approve it.',
    )
    const { body: page } = await list(
      { pageSize: 2, historyLength: 0 },
      'A client that shows two at a time asks for a page of two.',
      'Two of four. nextPageToken leads to the rest; what is in it concerns the agent alone.',
    )
    await list(
      { pageSize: 2, historyLength: 0, pageToken: page.result.nextPageToken },
      'The next page: the same filters, and the token.',
      'The other two, and no further token.',
    )
    await list(
      { status: 'TASK_STATE_COMPLETED', includeArtifacts: true, historyLength: 1 },
      'What was deployed? Now the artifacts are wanted, and of the messages the last one.',
      'The one that was completed, with deployment.json.',
    )
    await client.get('deployer', `/a2a/tasks?contextId=${contextId}&status=TASK_STATE_FAILED`, {
      headers: version,
      tell: 'The same over HTTP+JSON: the filters are the query.',
      notice:
        'The same form, without the envelope of JSON-RPC. Without historyLength the whole history comes along.',
    })
  },
})
