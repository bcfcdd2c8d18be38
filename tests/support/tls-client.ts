// Run as a process that trusts what NODE_EXTRA_CA_CERTS names: the kit's client at an agent, over every binding of its card.
import { connect } from '@a2a-kit/client'

const [, , url] = process.argv
const told: Record<string, unknown> = {}
for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC']) {
  const client = await connect(url!, { bindings: [binding] })
  const parts = [{ text: 'complete done' }]
  const message = { messageId: `over ${binding}`, role: 'ROLE_USER' as const, parts }
  const states: string[] = []
  for await (const { event } of client.sendStreamingMessage(message)) {
    states.push((event.statusUpdate ?? event.task)?.status.state ?? '')
  }
  told[binding] = states.at(-1)
}
console.log(JSON.stringify(told))
