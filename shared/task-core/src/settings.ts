// What can be set about an agent's engine and server, with the defaults.
export interface Settings {
  /** How long a question waits for an answer, in seconds; then its task fails. */
  inputTtl: number
  /** How long an authorization request waits for an operator, in seconds. */
  approvalTtl: number
  /** How many turns run at once; further ones wait, first come first served. */
  maxTurns: number
  /** How long a cancel waits for the running step, in ms. */
  cancelGrace: number
  /** Whether a step's chunks are sent as they come, or as one artifact at the step's end. */
  streamArtifacts: boolean
  /** How often a quiet stream shows that it lives, in ms: by a comment line, and over gRPC by a ping of HTTP/2. */
  heartbeat: number
  /** The largest request body, or message over gRPC, in bytes. */
  maxBody: number
  /** Whether anybody may read the extended card, which §13.3 forbids; only an official test asks for it. */
  openExtendedCard: boolean
  /** The version of the specification whose gRPC statuses are answered; 1.0.0 had other ones for three errors (§5.4). */
  grpcStatuses: '1.0.1' | '1.0.0'
}

export const defaultSettings: Settings = {
  inputTtl: 7 * 24 * 3600,
  approvalTtl: 24 * 3600,
  maxTurns: 100,
  cancelGrace: 3000,
  streamArtifacts: false,
  heartbeat: 3000,
  maxBody: 4 * 1024 * 1024,
  openExtendedCard: false,
  grpcStatuses: '1.0.1',
}
