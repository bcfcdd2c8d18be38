// The approval in the middle of the story: shown to a person, or given by the demo itself through the same endpoint.
import type { Task } from '@a2a-kit/task-core/protocol'
import { pressed } from './keys.ts'
import type { Screen } from './screen.ts'

export interface ApprovalOptions {
  /** The deployer's address. */
  url: string
  task: Task
  /** Decide without asking; undefined asks the person at the terminal. */
  decide: 'approve' | 'deny' | undefined
  /** Aborts when the wait is over, however it was decided. */
  decided: AbortSignal
}

/** Shows what is asked and sees to a decision. Resolves with false if the person left without one. */
export async function seeToApproval(
  screen: Screen,
  { url, task, decide, decided }: ApprovalOptions,
): Promise<boolean> {
  const link = `${url}/approve/${task.id}`
  const { operation = {} } = (await (
    await fetch(link, { headers: { accept: 'application/json', ...asOperator() } })
  ).json()) as {
    operation?: Record<string, string>
  }
  screen.heading(
    'The deployer waits for an operator. The approval arrives outside of A2A, and covers exactly this, once:',
  )
  for (const [name, value] of Object.entries(operation)) screen.say(`    ${name.padEnd(12)} ${value}`)
  if (decide) {
    screen.say(
      `\n  ${decide === 'approve' ? 'Approving' : 'Denying'} as an operator would: POST ${url}/${decide}/${task.id}\n`,
    )
    await post(`${url}/${decide}/${task.id}`)
    return true
  }
  screen.command(`
  in a browser   ${screen.style('underline', link)}
  with curl      curl -X POST ${link}
  or here        press ${screen.style('bold', 'a')} to approve, ${screen.style('bold', 'd')} to deny, ${screen.style('bold', 'q')} to leave
`)
  const key = await pressed('adq', decided).catch(() => undefined)
  if (key === 'q') return false
  if (key) await post(`${url}/${key === 'a' ? 'approve' : 'deny'}/${task.id}`)
  return true
}

/** Where the agents know operators, the demo is the first of them. */
function asOperator(): Record<string, string> {
  const [, token] = /^[^:]+:([^,]+)/.exec(process.env.OPERATOR_TOKENS ?? '') ?? []
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function post(address: string): Promise<void> {
  const response = await fetch(address, { method: 'POST', headers: asOperator() })
  if (!response.ok) throw new Error(`POST ${address} answered ${response.status}: ${await response.text()}`)
}
