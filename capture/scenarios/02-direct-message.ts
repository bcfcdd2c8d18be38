// 02: an answer that is a message and no task.
import { message, scenario } from '../story.ts'

const question = { text: 'Which builds can be deployed?' }

export default scenario({
  title: 'An answer that is a message and no task',
  about: `An agent makes a task of what takes work, and the client follows that. What it can answer at once it may answer with a message and
    no task (§3.1.1): there is nothing to follow, to cancel or to look up later. So a client must be ready for either.`,
  agents: { deployer: {} },
  async play({ actor }) {
    const client = actor('client')

    const { body: answer } = await client.call(
      'deployer',
      'SendMessage',
      { message: message('msg-which', question) },
      {
        tell: 'Before it asks for a deploy, the client asks what there is to deploy.',
        notice: `The result has message, and not task. The answer is there twice: as text for a person, as data for a program. It has a contextId
          and no taskId.`,
      },
    )
    const stream = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-which-again', question) },
      {
        tell: 'A client that asks every question with SendStreamingMessage is answered too (§3.1.2).',
        notice: 'A stream brings frames, one thing in each. This one has one frame, the message, and ends.',
      },
    )
    await stream.end()

    const { contextId } = answer.result.message
    await client.call(
      'deployer',
      'SendMessage',
      { message: message('msg-deploy', { text: 'Deploy build 2026.10.06-1 to staging' }, { contextId }) },
      {
        tell: `Now the client asks for one of the builds. The contextId of the first answer says that this goes on with the same
          conversation.`,
        notice:
          'The result has task: a deploy takes an approval, so there is something to follow. The task is in that context.',
      },
    )
  },
})
