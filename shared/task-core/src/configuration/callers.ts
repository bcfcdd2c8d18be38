// Who may call an agent, and with what its cards are signed.
import type { CallerTokens } from '../operations/index.ts'
import type { Part } from './part.ts'
import { patterns, readKeyFile, readTokens } from './values.ts'

export interface Callers {
  /** The tokens of the callers by their names; undefined if everybody may call. */
  callerTokens: CallerTokens | undefined
  /** The private key that signs the cards. */
  signingKey: string | undefined
}

export const callers: Part<Callers> = {
  properties: {
    CALLER_TOKENS: { type: 'string', pattern: patterns.CALLER_TOKENS },
    SIGNING_KEY_FILE: { type: 'string', minLength: 1 },
  },
  read: (values) => ({
    callerTokens: values.CALLER_TOKENS === undefined ? undefined : readTokens(values.CALLER_TOKENS),
    signingKey:
      values.SIGNING_KEY_FILE === undefined
        ? undefined
        : readKeyFile('SIGNING_KEY_FILE', values.SIGNING_KEY_FILE).toString(),
  }),
}
