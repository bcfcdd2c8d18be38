// 18: the small signup agent: a question, a mismatch, a structured answer, a cancel.
import { message, scenario } from '../story.ts'

export default scenario({
  title: 'A signup that lacks an email address',
  about: `The smallest agent of the kit registers an email address for early access, and asks for it when a message holds none. A client without
    streams follows the task by its replies alone. docs/write-an-agent.md writes this agent from nothing.`,
  agents: { 'early-access': {} },
  async play({ actor }) {
    const client = actor('client')
    const noHistory = { configuration: { historyLength: 0 } }

    const { body: asked } = await client.call(
      'early-access',
      'SendMessage',
      {
        message: message('msg-signup', { text: 'Please register Example Ltd for early access.' }),
        ...noHistory,
      },
      {
        tell: 'A client asks for early access, and gives no address. With historyLength 0 it asks for the reply without a history (§3.2.4).',
        notice: `The question names both forms of an answer, a text or data. metadata.skill says which skill took the task, and there is no
          history field.`,
      },
    )
    const { id: taskId } = asked.result.task

    await client.call(
      'early-access',
      'SendMessage',
      {
        message: message('msg-mismatch', { text: 'ada@example.com' }, { taskId, contextId: 'ctx-other' }),
        ...noHistory,
      },
      {
        tell: 'The client answers, with the taskId of the task and a contextId that is not the task’s.',
        notice:
          'Refused as invalid (§3.4.3): which conversation is meant cannot be known. Nothing was registered.',
      },
    )

    await client.call(
      'early-access',
      'GetTask',
      { id: taskId, historyLength: 0 },
      {
        tell: 'The client looks at the task.',
        notice: 'It is unchanged, and still waits for its answer.',
      },
    )

    await client.call(
      'early-access',
      'SendMessage',
      {
        message: message('msg-address', { data: { email: 'ada@example.com' } }, { taskId }),
        ...noHistory,
      },
      {
        tell: 'The client answers with the taskId alone, and with data: the agent takes the contextId from the task.',
        notice:
          'Completed. The artifact has two parts: a text for people and the registration as data. The question is gone from the status.',
      },
    )

    const { body: second } = await client.call(
      'early-access',
      'SendMessage',
      { message: message('msg-second', { text: 'I would like early access too.' }), ...noHistory },
      { tell: 'Another signup without an address.', notice: 'Another task, which waits as well.' },
    )

    await client.call(
      'early-access',
      'CancelTask',
      { id: second.result.task.id },
      {
        tell: 'The client thinks better of it.',
        notice:
          'CancelTask answers with the task itself, where SendMessage wraps it in task. The status message says what was not done.',
      },
    )
  },
})
