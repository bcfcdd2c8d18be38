// 15: one agent, and clients of two versions of the protocol.
import { version } from '../actor.ts'
import { message, scenario } from '../story.ts'
import { reviewThis } from './requests.ts'

/** Clients of 0.3 do not say their version. */
const bare = { headers: { 'A2A-Version': undefined } }

export default scenario({
  title: 'A client of 0.3, a client of 1.0, and a version that is refused',
  about: `A request says in A2A-Version which version of the protocol it speaks; one that says nothing means 0.3 (§3.6.2). The agent here
    serves both at the same addresses: they share the tasks, and each client is answered in the shape of its own version.`,
  agents: { 'code-reviewer': {} },
  async play({ actor }) {
    const older = actor('client of 0.3')
    const newer = actor('client of 1.0')

    await older.get('code-reviewer', '/.well-known/agent-card.json', {
      headers: { 'A2A-Version': '0.3' },
      tell: 'A card is of one version too. The client asks for that of 0.3.',
      notice: `In 0.3 a card has one url with its preferredTransport, and lists every interface in additionalInterfaces. Without A2A-Version the answer
        is the card of 1.0 that has these fields besides, so clients of both versions can read it.`,
    })

    const { body: asked } = await older.call(
      'code-reviewer',
      'message/send',
      {
        message: {
          kind: 'message',
          messageId: 'msg-review',
          role: 'user',
          parts: [{ kind: 'text', ...reviewThis }],
        },
      },
      {
        ...bare,
        tell: 'The client of 0.3 asks for a review. Methods have names with a slash there, and objects say their kind.',
        notice: `The answer is of 0.3 as well: the task itself is the result, and its state is input-required where 1.0 says
          TASK_STATE_INPUT_REQUIRED.`,
      },
    )
    const { id, contextId } = asked.result

    await newer.call(
      'code-reviewer',
      'GetTask',
      { id, historyLength: 0 },
      {
        tell: 'A client of 1.0 asks for the same task, and says its version.',
        notice: 'One task, in the shape of 1.0. It does not matter which version began it.',
      },
    )

    const answer = {
      messageId: 'msg-branch',
      taskId: id,
      contextId,
      role: 'user',
      parts: [{ kind: 'text', text: 'main' }],
    }
    const stream = await older.stream(
      'code-reviewer',
      'message/stream',
      { message: { kind: 'message', ...answer } },
      {
        ...bare,
        tell: 'The client of 0.3 answers the question, and follows the task as a stream.',
        notice:
          'Events say their kind: task, status-update, artifact-update. The one that ends the stream has final: true, which 1.0 no longer has.',
      },
    )
    await stream.end()

    const content = [{ text: reviewThis.text.replace('payments-api', 'payments-api against main') }]
    await older.post(
      'code-reviewer',
      '/a2a/v1/message:send',
      { message: { messageId: 'msg-again', role: 'ROLE_USER', content } },
      {
        tell: `Another request for a review, over HTTP+JSON. In 0.3 it lives below /v1, and writes messages as the definition of 0.3 in
          Protocol Buffers does: what 1.0 calls parts is content there. This one names the branch.`,
        notice:
          'With the branch known nothing is asked, and the task is completed. The answer has the shape of that definition, as the request had.',
      },
    )

    await actor('client of 2.0').call(
      'code-reviewer',
      'SendMessage',
      { message: message('msg-future', reviewThis) },
      {
        headers: { 'A2A-Version': '2.0' },
        tell: 'A client of a version to come.',
        notice: `VersionNotSupportedError, -32009: nothing was done. The metadata of its ErrorInfo names the version that this operation is served
          in.`,
      },
    )
    await newer.call(
      'code-reviewer',
      'SendMessage',
      { message: message('msg-silent', reviewThis) },
      {
        ...bare,
        tell: 'A client of 1.0 that forgets to say its version: its method is of 1.0, and the silence means 0.3.',
        notice: 'The same error. Its message says what to send.',
      },
    )
    await newer.get('code-reviewer', '/.well-known/agent-card.json', {
      headers: version,
      tell: 'For comparison, the card of 1.0.',
      notice: `Each address stands in supportedInterfaces with its binding and the version that it serves. Vary tells caches that the answer
        depends on A2A-Version.`,
    })
  },
})
