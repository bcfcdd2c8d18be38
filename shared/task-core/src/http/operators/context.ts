// What the operator's routes work with.
import type { OperationContext } from '../../operations/index.ts'
import type { Identify } from './identity.ts'
import type { Requesters } from './requester.ts'

export interface OperatorContext extends OperationContext {
  identify: Identify
  requesters: Requesters
  /** The address that others use. */
  publicUrl: () => string
}
