// Sends a text to an agent and tells how its task goes, to its end.
import { randomUUID } from 'node:crypto'
import { connect } from '@a2a-kit/client'
import { type Message, textOf } from '@a2a-kit/task-core/protocol'

const [address = 'http://localhost:41243', text = 'Deploy build 2026.10.06-1 to staging.'] =
  process.argv.slice(2)
const message: Message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] }

const agent = await connect(address)
const answer = await agent.sendMessage(message, { returnImmediately: true })
if (answer.message) console.log(`${agent.name}: ${textOf(answer.message)}`)
if (answer.task) {
  for await (const { task } of agent.watch(answer.task.id)) {
    console.log(`${agent.name}: ${task.status.state} ${textOf(task.status.message)}`)
  }
}
