// 14: what a client may send as taskId and contextId, and what becomes of it.
import { version } from '../actor.ts'
import { message, scenario } from '../story.ts'
import { reviewThis } from './requests.ts'

export default scenario({
  title: 'What a client may send as taskId and contextId',
  about: `A message names the task that it is for in taskId, and the conversation in contextId (§3.4). Task ids are the agent's to give; a contextId may be
    the client's own. Whatever does not fit is refused, and nothing is changed by it.`,
  agents: { 'code-reviewer': {} },
  async play({ actor }) {
    const client = actor('client')
    type Told = { tell: string; notice: string }
    const send = (sent: ReturnType<typeof message>, told: Told) =>
      client.call('code-reviewer', 'SendMessage', { message: sent }, told)
    const main = { text: 'main' }

    const { body: one } = await send(message('msg-one', reviewThis), {
      tell: 'A message with neither taskId nor contextId.',
      notice: 'The agent gives both: a new task in a new context. The task waits for an answer.',
    })
    const { id: first, contextId: context } = one.result.task
    const { body: two } = await send(message('msg-two', reviewThis, { contextId: 'ctx-identifiers' }), {
      tell: 'A message with a contextId that the client made up, and no taskId.',
      notice:
        'The agent takes the contextId as it is (§3.4.1), and starts a new task in it. This one waits as well.',
    })
    const { id: second } = two.result.task

    await send(message('msg-unknown', main, { taskId: '00000000-0000-4000-8000-000000000000' }), {
      tell: 'An answer to a task that does not exist.',
      notice: `TaskNotFoundError, -32001. A task of another caller is answered in the same words, so that nobody learns which ids there are. The
        ErrorInfo in data is for programs: reason says which error it is, and domain who defines it.`,
    })
    await send(message('msg-own-id', reviewThis, { taskId: 'review-1', contextId: 'ctx-identifiers' }), {
      tell: 'A request under a taskId that the client made up.',
      notice: 'The same error: a taskId names a task that is there, and no client can choose one (§3.4.2).',
    })

    const mismatch = message('msg-mismatch', main, { taskId: first, contextId: 'ctx-identifiers' })
    await send(mismatch, {
      tell: 'An answer to the first task, with the contextId of the second.',
      notice:
        'Invalid params, -32602: the two do not belong together, and the agent does not guess which one was meant.',
    })
    await client.post(
      'code-reviewer',
      '/a2a/message:send',
      { message: mismatch },
      {
        headers: version,
        tell: 'The same over HTTP+JSON.',
        notice: 'HTTP 400. The BadRequest names the field.',
      },
    )
    await client.call(
      'code-reviewer',
      'GetTask',
      { id: first, historyLength: 0 },
      {
        tell: 'The client looks at what became of the first task. With a historyLength of 0 it asks for no history.',
        notice:
          'Nothing: it still waits with its question. The field history is left out, rather than there and empty.',
      },
    )
    await send(message('msg-broken', reviewThis, { contextId: 'two\nlines' }), {
      tell: 'A contextId that the agent cannot accept: it has a line break.',
      notice:
        'Refused. A contextId is taken as it is or not at all, and never replaced by one of the agent’s own.',
    })

    await send(message('msg-inferred', main, { taskId: first }), {
      tell: 'The answer to the first task, without a contextId.',
      notice: `The task says to which context it belongs, and is completed. The question was answered by a text; it is gone from the status, and stands
        in the history.`,
    })
    await send(message('msg-late', { text: 'develop' }, { taskId: first }), {
      tell: 'A further message to the same task.',
      notice:
        'UnsupportedOperationError, -32004: the task is completed, and takes no more messages (§3.1.1).',
    })
    await send(
      message('msg-data', { data: { baseBranch: 'main' } }, { taskId: second, contextId: 'ctx-identifiers' }),
      {
        tell: 'The answer to the second task, with both ids, as data.',
        notice: 'A question is answered by data as well as by text; here its schema said which.',
      },
    )

    const { body: three } = await send(message('msg-three', reviewThis, { contextId: context }), {
      tell: 'A message with the contextId that the agent gave the first task, and no taskId.',
      notice: 'A new task in the conversation of the first one.',
    })
    await client.call(
      'code-reviewer',
      'ListTasks',
      { contextId: context, historyLength: 0 },
      {
        tell: 'The client lists the tasks of that conversation.',
        notice: 'Two: the one that waits, and the first one, completed by the answer and by nothing else.',
      },
    )
    await client.call(
      'code-reviewer',
      'CancelTask',
      { id: three.result.task.id },
      {
        tell: 'The client cancels the task that waits.',
        notice: `The result of CancelTask is the task itself, where that of SendMessage has it in the field task. Its status message says that nothing was
        done; the question is no longer open.`,
      },
    )
  },
})
