// What an operator does and reads at an agent, and what comes of it.
import { isTerminal, type Task } from '@a2a-kit/task-core/protocol'
import type { Probe } from './probe.ts'
import { get } from './send.ts'
import { until } from './wait.ts'

/** What an operator does at the agent: JSON in, JSON out. */
export async function operate(
  probe: Probe,
  what: 'approve' | 'deny' | 'revoke',
  id: string,
  body?: object,
  token?: string,
) {
  const response = await fetch(`${probe.url}/${what}/${id}`, {
    method: 'POST',
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

/** What an operator reads there. */
export async function shown(probe: Probe, id: string): Promise<Record<string, unknown>> {
  return (await fetch(`${probe.url}/approve/${id}`)).json() as Promise<Record<string, unknown>>
}

/** The task once it is terminal. */
export const ended = (probe: Probe, id: string): Promise<Task> =>
  until(`the end of ${id}`, async () => {
    const task = await get(probe, id)
    return isTerminal(task.status.state) ? task : undefined
  })
