// 09: a task that fails: by its input, by a bug, and by the time that nobody answered.
import { message, scenario } from '../story.ts'

export default scenario({
  title: 'A task that fails',
  about: `TASK_STATE_FAILED is an end: the work could not be done. The status message says why, and the way on is a new task. Here a request names
    a build that does not exist, an agent has a bug, nobody answers a question, and nobody approves a deploy. The conformance agent runs with
    INPUT_TTL=1 and the deployer with APPROVAL_TTL=1, so that a wait is over after a second, and not after a week or a day.`,
  agents: {
    deployer: { env: { APPROVAL_TTL: '1' } },
    // Silent: its bug is told in the log.
    conformance: { env: { INPUT_TTL: '1', LOG_LEVEL: 'silent' } },
  },
  async play({ actor, until }) {
    const client = actor('client')

    const unknown = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-unknown', { text: 'Deploy build 2026.11.01-1 to staging' }) },
      {
        tell: 'The client asks for the deploy of a build that does not exist.',
        notice: `The task fails. Its status message says what is wrong and which builds there are: enough to mend the request and to start a new
          task.`,
      },
    )
    await unknown.end()

    const question = await client.stream(
      'conformance',
      'SendStreamingMessage',
      { message: message('msg-question', { text: 'ask Which branch?' }) },
      {
        tell: 'The conformance agent does what a message tells it. The client has it ask something, and will not answer.',
        notice: 'The task waits, and the stream ends: whoever has to answer will come back.',
      },
    )
    const [{ result: asked }] = await question.end()

    // The clock moves at each status: with the last of these three, the second for an answer is over.
    const bug = await client.stream(
      'conformance',
      'SendStreamingMessage',
      { message: message('msg-bug', { text: 'working Reading the list of builds; throw cannot read it' }) },
      {
        tell: 'Next the client has the agent run into a bug of its own.',
        notice: `What a bug looks like from outside: a reference, and neither the error’s text nor a stack trace. For whoever operates the agent,
          the log has both under this reference.`,
      },
    )
    await bug.end()

    await until('conformance', asked.task.id, 'TASK_STATE_FAILED')
    await client.call(
      'conformance',
      'GetTask',
      { id: asked.task.id },
      {
        tell: 'A second has passed since the question, and nobody has answered. The client looks at its task.',
        notice:
          'The agent has given up, and the question is gone from the status. An answer would be refused now; a new task asks anew.',
      },
    )

    const first = await client.stream(
      'deployer',
      'SendStreamingMessage',
      { message: message('msg-first', { text: 'Deploy build 2026.10.05-2 to staging' }) },
      {
        tell: 'The client asks the deployer again, this time for a build that exists.',
        notice: `The metadata of the third frame has expiresAt: until then an operator may approve. Nobody does, and the last frame, which comes
          after the next request, is TASK_STATE_FAILED.`,
      },
    )
    await first.frames(3)
    // Its three statuses move the clock to where the time for the first approval is over.
    await client.call(
      'deployer',
      'SendMessage',
      { message: message('msg-second', { text: 'Deploy build 2026.10.06-1 to staging' }) },
      {
        tell: 'The client asks for another deploy.',
        notice: 'This one waits, and has a time of its own. By now the time of the one before is over.',
      },
    )
    await first.end()
  },
})
