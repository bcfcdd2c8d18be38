// Where an agent was stopped and started again in a capture: its file says so in prose alone, so it stands here.
import type { AgentName } from '../../capture/kit.ts'
import type { Capture, Exchange } from '../../capture/model.ts'

const restarts: Record<string, Record<number, AgentName>> = { '11-resubscribe': { 9: 'deployer' } }

/** The agent that was started again between the exchange before and this one. */
export const restartedBefore = ({ n }: Exchange, { name }: Capture): AgentName | undefined =>
  restarts[name]?.[n]
