// Verifies the signature of an agent card (§8.4.3), with this client's own error.
import * as protocol from '@a2a-kit/task-core/protocol'
import { CardError } from './errors.ts'

export type { SignedBy, Trust } from '@a2a-kit/task-core/protocol'

/**
 * Verifies `card` as it was served.
 * @throws CardError that says of each signature why it does not count
 */
export async function verifyCard(
  card: protocol.AgentCard,
  options: protocol.VerifyOptions,
): Promise<protocol.SignedBy> {
  try {
    return await protocol.verifyCard(card, options)
  } catch (cause) {
    throw new CardError((cause as Error).message, { cause })
  }
}
