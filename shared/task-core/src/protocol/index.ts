// The protocol's data model, states, errors and fold: what servers, clients and agents share.
export { canonicalCard } from './canonical-card.ts'
export * from './errors.ts'
export * from './extensions.ts'
export * from './fold.ts'
export * from './messages.ts'
export { parseRequest, requestSchemas } from './requests.ts'
export * from './states.ts'
export * from './types.ts'
