// Fetches the agents' cards, here and inside the containers, and calls every address that they name.
import { spawnSync } from 'node:child_process'
import { type AgentName, agentNames } from '../kit.ts'
import type { Compose } from './compose.ts'

/** Runs by itself, in a container too: prints what is wrong with the agents at the addresses that it is given. */
const probe = `
import { connect } from 'node:http2'
const speaksHttp2 = (url) => new Promise((done, failed) => {
  const session = connect('http://' + url).once('error', failed)
  session.once('remoteSettings', () => done(session.close()))
})
const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })
const json = async (url, options) => (await fetch(url, options)).json()
for (const address of process.argv.slice(1)) {
  try {
    const { name, supportedInterfaces } = await json(address + '/.well-known/agent-card.json')
    for (const { url, protocolBinding } of supportedInterfaces) {
      if (protocolBinding === 'GRPC') {
        await speaksHttp2(url)
        continue
      }
      const { agent } = await json(new URL('/health', url))
      if (agent !== name) console.log(url + ' is in the card of ' + name + ', and there is ' + agent + '.')
      const isRpc = protocolBinding === 'JSONRPC'
      const answer = isRpc ? (await json(url, { method: 'POST', headers, body })).result : await json(url + '/tasks', { headers })
      if (!answer?.tasks) console.log(url + ' does not answer ' + protocolBinding + '.')
    }
  } catch (error) {
    console.log(address + ': ' + (error.cause ?? error).message)
  }
}`

/** @throws Error when a card names an address that is not this agent's, seen from `where` */
export function checkCards({ compose, url }: Compose, where: 'host' | AgentName): void {
  const words = ['--input-type=module', '--eval', probe, '--', ...agentNames.map(url)]
  const found = where === 'host' ? runHere(words) : compose('exec', '-T', where, 'node', ...words)
  if (found.trim()) throw new Error(`seen from ${where}: ${found.trim()}`)
}

function runHere(words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
