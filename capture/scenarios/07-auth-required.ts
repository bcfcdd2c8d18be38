// 07: an approval arrives outside the protocol, while the stream stays open.
import { message, scenario } from '../story.ts'

export default scenario({
  title: 'An approval arrives outside the protocol',
  about: `A deploy takes the approval of an operator, somebody who may decide. Its task waits in TASK_STATE_AUTH_REQUIRED, and the stream is
    not closed: once the operator has approved, over plain HTTP, the result comes on it. The client sends nothing more.`,
  agents: {
    deployer: {
      ids: {
        task: ['ecf2dcb6-79c8-48f8-8868-24a0541781f4'],
        context: ['9e8e6bcf-b117-48b9-992a-67971cddcb1b'],
      },
    },
  },
  async play({ actor }) {
    const client = actor('client')
    const operator = actor('operator')

    const stream = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-deploy', { text: 'Deploy build 2026.10.06-1 to staging' }) },
      {
        tell: `The client asks for a deploy, and follows it as a stream. Watch for its third frame: the task waits there, and says where an
          operator approves.`,
        notice: `The metadata of the third frame, an extension of the kit, says what is to be approved and until when. The stream is still
          open, and its last three frames come after the approval.`,
      },
    )
    const [first] = await stream.frames(3)

    await operator.post('deployer', `/approve/${first.result.task.id}`, undefined, {
      tell: 'The operator approves. This is plain HTTP: no A2A, and nothing that the client sends.',
      notice: 'Who approved which task, and when. The task goes on by itself (§7.6.1).',
    })
    await stream.end()
  },
})
