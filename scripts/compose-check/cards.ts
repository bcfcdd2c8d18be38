// Fetches the agents' cards, here and inside the containers, and calls every address that they name.
import { spawnSync } from 'node:child_process'
import { type AgentName, agentNames } from '../kit.ts'
import type { Compose } from './compose.ts'

/** Runs by itself, in a container too: prints what is wrong with the agents at the addresses that it is given. */
const probe = `
const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0' }
const listTasks = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })
for (const address of process.argv.slice(1)) {
  const card = await (await fetch(address + '/.well-known/agent-card.json')).json()
  for (const { url, protocolBinding } of card.supportedInterfaces) {
    const { agent } = await (await fetch(new URL('/health', url))).json()
    if (agent !== card.name) console.log('At ' + url + ' is ' + agent + ', and the card is of ' + card.name + '.')
    const isRpc = protocolBinding === 'JSONRPC'
    const answer = isRpc ? fetch(url, { method: 'POST', headers, body: listTasks }) : fetch(url + '/tasks', { headers })
    const body = await (await answer).json()
    if (!(isRpc ? body.result : body)?.tasks) console.log(url + ' does not answer by ' + protocolBinding + '.')
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
