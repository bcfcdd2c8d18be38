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
  /** How long a request may take to arrive whole, in ms. */
  requestTimeout: number
  /** The largest request body, or message over gRPC, in bytes. */
  maxBody: number
  /** The most parts of a message. */
  maxParts: number
  /** The largest metadata of a message, a part or a request, in bytes of JSON. */
  maxMetadata: number
  /** The most messages in a task's history; beyond that it takes no answer. */
  maxHistory: number
  /** The largest history of a task, in bytes of JSON; beyond that it takes no answer. */
  maxHistoryBytes: number
  /** The most artifacts that a task may emit; one more fails it. */
  maxArtifacts: number
  /** All that a task may emit as artifacts and their chunks, in bytes of the events; more fails it. */
  maxArtifactBytes: number
  /** The most push notification configs of a task. */
  maxPushConfigs: number
  /** How long a task is kept after its end, in seconds; then it is purged, and unknown. */
  taskRetention: number
  /** How many requests a second are taken from one caller, or from one network where callers are not told apart; 0 is no limit, as below. */
  maxRequestsPerSecond: number
  /** How many messages a minute are taken from one caller. */
  maxMessagesPerMinute: number
  /** How many tokens that do not hold are looked at in a minute, from one network. */
  maxAuthFailuresPerMinute: number
  /** How many streams and blocking calls of one caller are open at once. */
  maxStreamsPerCaller: number
  /** How many tasks of one caller may not have ended; a further one is refused. */
  maxOpenTasksPerCaller: number
  /** The proxies whose `X-Forwarded-For` says where a call comes from: addresses and CIDR ranges. */
  trustProxy: readonly string[]
  /** The origins whose pages may call the protocol, such as `https://ui.example`; `*` is every one. */
  corsOrigins: readonly string[]
  /** Whether a message with an id that was accepted before is known as a repeat (§3.3.1). */
  deduplicate: boolean
  /** Which hosts besides public addresses push notifications may go to: names, addresses, CIDR ranges; `*` is all. */
  pushAllowedHosts: readonly string[]
  /** How long a receiver may take for a push notification, in ms. */
  pushTimeout: number
  /** How many tries of a push notification may fail in a row; then its config is given up. */
  pushAttempts: number
  /** How long after the first failed try the second comes, in ms; each further pause is twice as long. */
  pushFirstDelay: number
  /** The longest pause between tries, in ms. */
  pushLongestDelay: number
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
  requestTimeout: 300_000,
  maxBody: 4 * 1024 * 1024,
  maxParts: 100,
  maxMetadata: 64 * 1024,
  maxHistory: 1000,
  maxHistoryBytes: 16 * 1024 * 1024,
  maxArtifacts: 1000,
  maxArtifactBytes: 64 * 1024 * 1024,
  maxPushConfigs: 10,
  taskRetention: 30 * 24 * 3600,
  maxRequestsPerSecond: 1000,
  maxMessagesPerMinute: 6000,
  maxAuthFailuresPerMinute: 60,
  maxStreamsPerCaller: 1000,
  maxOpenTasksPerCaller: 10_000,
  trustProxy: [],
  corsOrigins: [],
  deduplicate: true,
  pushAllowedHosts: [],
  pushTimeout: 15_000,
  pushAttempts: 15,
  pushFirstDelay: 1000,
  pushLongestDelay: 300_000,
  openExtendedCard: false,
  grpcStatuses: '1.0.1',
}
