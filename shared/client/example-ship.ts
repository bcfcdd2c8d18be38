// Ships a change through the planner: answers its question, and tells how the task goes while an operator approves.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from '@a2a-kit/client'
import { type Message, textOf } from '@a2a-kit/task-core/protocol'

const [address = 'http://localhost:41241', branch = 'main'] = process.argv.slice(2)
const diff = readFileSync('fixtures/payments-api/changes/idempotency-keys.diff', 'utf8')
const change = { repository: 'payments-api', diff, build: '2026.10.06-1', environment: 'staging' }
const message = (rest: Pick<Message, 'parts' | 'taskId'>): Message => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  ...rest,
})

const planner = await connect(address)
const sent = await planner.sendMessage(message({ parts: [{ data: change }] }), { returnImmediately: true })
if (!sent.task) throw new Error(`${planner.name} answers without a task: ${textOf(sent.message)}`)
for await (const { event, task } of planner.watch(sent.task.id)) {
  if (event.artifactUpdate) continue
  console.log(`${task.status.state} ${textOf(task.status.message)}`)
  if (task.status.state === 'TASK_STATE_INPUT_REQUIRED') {
    const answer = message({ parts: [{ text: branch }], taskId: task.id })
    await planner.sendMessage(answer, { returnImmediately: true })
  }
}
