// 16: both waits over HTTP+JSON, with the other operations of that binding.
import { version as headers } from '../actor.ts'
import { message, scenario } from '../story.ts'
import { deployOlder, deployThis, reviewThis } from './requests.ts'

const contextId = 'ctx-http-json'

export default scenario({
  title: 'Both waits over HTTP+JSON',
  about: `HTTP+JSON (§11) is the binding for clients that would rather have a URL for each operation than a method in the body. It has
    the same operations, the same tasks and the same errors as JSON-RPC: here a question is answered, an approval is waited for on a
    stream, and tasks are read, listed and canceled.`,
  agents: { 'code-reviewer': {}, deployer: {} },
  async play({ actor }) {
    const client = actor('client')
    const operator = actor('operator')

    const { body: asked } = await client.post(
      'code-reviewer',
      '/a2a/message:send',
      { message: message('msg-review', reviewThis, { contextId }) },
      {
        headers,
        tell: `The client asks for a review. The path names the operation, SendMessage, and the body is its request with nothing around it.
          The contextId is the client’s own: it groups what belongs to one conversation.`,
        notice: `The body is the response of the operation, the task, and the HTTP status says that it went well. The task asks which branch
          the diff is against.`,
      },
    )
    await client.post(
      'code-reviewer',
      '/a2a/message:send',
      { message: message('msg-branch', { text: 'main' }, { taskId: asked.task.id, contextId }) },
      {
        headers,
        tell: 'The answer goes to the same path. The task that it answers is named in the message, as over every binding.',
        notice: 'The same task, completed.',
      },
    )

    const stream = await client.postStream(
      'deployer',
      '/a2a/message:stream',
      { message: message('msg-deploy', deployThis, { contextId }) },
      {
        headers,
        tell: 'The client asks another agent for a deploy, and follows it as a stream. A context belongs to one agent: this is a new one of the same name.',
        notice: `The events are those of JSON-RPC, without the envelope: each data line is one StreamResponse (§11.7). The third says where an
          operator approves; the last three came after the approval.`,
      },
    )
    const [{ task: deploy }] = await stream.frames(3)
    await operator.post('deployer', `/approve/${deploy.id}`, undefined, {
      tell: 'The operator approves, while the stream is open.',
    })
    await stream.end()

    await client.get('deployer', `/a2a/tasks/${deploy.id}?historyLength=0`, {
      headers,
      tell: 'The client reads the task: GetTask. What is not in the path goes into the query (§11.5).',
      notice: 'The task is not wrapped in anything, and with historyLength=0 it comes without its history.',
    })

    const { body: waiting } = await client.post(
      'deployer',
      '/a2a/message:send',
      { message: message('msg-older', deployOlder, { contextId }) },
      {
        headers,
        tell: 'A second deploy in the same context, this time as a blocking call.',
        notice: 'The call returns where the task waits for the operator.',
      },
    )
    await client.get('deployer', `/a2a/tasks?contextId=${contextId}&historyLength=0`, {
      headers,
      tell: 'The client lists what it has in this context: ListTasks.',
      notice:
        'Newest first. Artifacts are left out unless includeArtifacts=true asks for them; an empty nextPageToken says that this is all.',
    })
    await client.post('deployer', `/a2a/tasks/${waiting.task.id}:cancel`, undefined, {
      headers,
      tell: 'The client cancels the second deploy: CancelTask. It needs no body.',
      notice: 'The canceled task says what was done: nothing.',
    })
    await client.post('deployer', `/a2a/tasks/${waiting.task.id}:cancel`, undefined, {
      headers,
      tell: 'The client sends the same once more.',
      notice: `An error (§11.6): the HTTP status says what kind, and the body which one. The reason in its ErrorInfo is for programs, the
        message for people. The task is as canceled as before.`,
    })
    await client.get('deployer', '/a2a/tasks/no-such-task', {
      headers,
      tell: 'The client asks for a task that is not there.',
      notice: 'What JSON-RPC calls -32001 is 404 here, with the same reason: TASK_NOT_FOUND.',
    })
  },
})
