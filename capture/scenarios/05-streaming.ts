// 05: a task that is followed as a stream, and an artifact that comes in chunks.
import { scenario } from '../story.ts'
import { reviewMessage } from './review.ts'

export default scenario({
  title: 'A task that is followed as a stream',
  about: `A client wants the same review as in 03 and 04, and to show what happens while it happens. SendStreamingMessage answers with
    server-sent events: the task first, then each change of its status and each piece of its artifacts. This agent runs with
    STREAM_ARTIFACTS=true, so the written review comes in chunks.`,
  agents: { 'code-reviewer': { env: { STREAM_ARTIFACTS: 'true' } } },
  async play({ actor }) {
    const client = actor('client')

    const stream = await client.stream(
      'code-reviewer',
      'SendStreamingMessage',
      { message: reviewMessage },
      {
        tell: 'The client sends the same message, and keeps the connection.',
        notice: `Each frame is a JSON-RPC response with one of task, statusUpdate and artifactUpdate. The chunks of review.md have one
          artifactId: the first begins the artifact, append says that the others follow it, and lastChunk marks the last. review.json
          is whole in one frame. The stream ends with the terminal state.`,
      },
    )
    const [first] = await stream.end()
    await client.call(
      'code-reviewer',
      'GetTask',
      { id: first.result.task.id, historyLength: 0 },
      {
        tell: 'Whoever asks later sees the same: the client reads the task after the stream has ended.',
        notice:
          'The chunks are the parts of one artifact, in order. Read one after the other they are the text that 03 has in one part.',
      },
    )
  },
})
