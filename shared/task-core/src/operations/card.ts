// GetExtendedAgentCard (§3.1.11, §13.3).
import { A2AError, parseRequest, requestSchemas } from '../protocol/index.ts'
import type { Call, OperationContext } from './context.ts'

/** Gives the extended card to a caller who has shown who it is. */
export function createCardOperation({ card, extendedCard, core }: OperationContext) {
  return async function getExtendedAgentCard(params: unknown, { caller }: Call): Promise<string> {
    parseRequest(requestSchemas.GetExtendedAgentCard, params)
    if (!card.capabilities.extendedAgentCard) {
      throw new A2AError('UnsupportedOperationError', 'This agent has no extended card.')
    }
    if (!extendedCard) {
      const why = 'The card declares an extended card, and none is configured.'
      throw new A2AError('ExtendedAgentCardNotConfiguredError', why)
    }
    if (!caller.authenticated && !core.settings.openExtendedCard) {
      throw new A2AError('UnauthenticatedError', 'The extended card is for callers who show who they are.')
    }
    return JSON.stringify(extendedCard)
  }
}
