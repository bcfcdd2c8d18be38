// The requirements that the official suite (a2aproject/a2a-tck, 1.0) counts, with what the specification's text wants of each; and why no test holds some.

export type Level = 'MUST' | 'SHOULD' | 'MAY'

export interface Requirement {
  id: string
  level: Level
  /** Of the specification, without the sign. */
  section: string
  title: string
  /** Why no test of this kit can hold it. */
  reason?: string
}

/** One a line: id, level, section, title. The suite tests 104 of them; 25 are in its list alone. */
const table = `
CORE-SEND-001 MUST 3.1.1 SendMessage answers with a task, or with a message and no task
CORE-SEND-002 MUST 3.1.1 A message to a task in any terminal state is UnsupportedOperationError
CORE-SEND-003 MUST 3.1.1 A part of a media type that the agent does not take is ContentTypeNotSupportedError
CORE-STREAM-001 MUST 3.1.2 SendStreamingMessage opens a stream that carries each update as it happens
CORE-STREAM-002 MUST 3.1.2 A stream that answers with a message has this one message and closes
CORE-STREAM-003 MUST 3.1.2 A stream of a task begins with the task, goes on with its updates, and closes once it is terminal
CORE-GET-001 MUST 3.1.3 GetTask gives the task as it is now: status, artifacts, history
CORE-GET-002 MUST 3.1.3 GetTask of an unknown or inaccessible id is TaskNotFoundError
CORE-LIST-001 MUST 3.1.4 ListTasks gives only tasks that the caller may see
CORE-LIST-002 MUST 3.1.4 ListTasks pages by cursor: consistent while tasks change
CORE-LIST-003 MUST 3.1.4 ListTasks is in order of the status timestamp, newest first
CORE-LIST-004 MUST 3.1.4 nextPageToken is always there, and is an empty string on the last page
CORE-LIST-005 MUST 3.1.4 Without includeArtifacts the artifacts field is left out of each task
CORE-CANCEL-001 MUST 3.1.5 CancelTask gives the updated task, with the state of the cancellation
CORE-CANCEL-002 MUST 3.1.5 CancelTask of a task in a terminal state is TaskNotCancelableError
CORE-CANCEL-003 MUST 3.1.5 CancelTask of an unknown or inaccessible id is TaskNotFoundError
CORE-EXECUTION-MODE-001 MUST 3.2.2 Unless asked to return immediately, SendMessage waits for a terminal or interrupted state, and gives all artifacts
CORE-EXECUTION-MODE-002 MUST 3.2.2 With returnImmediately, SendMessage returns as soon as the task is made, while work goes on
CORE-ERR-001 MUST 3.3.2 Errors have a code, a message and typed details that help the client on
CORE-ERR-002 MUST 3.3.2 All input is validated before anything is done
CORE-CAP-001 MUST 3.3.4 Without the capability, push notification operations are PushNotificationNotSupportedError
CORE-CAP-002 MUST 3.3.4 Without the capability, SendStreamingMessage and SubscribeToTask are UnsupportedOperationError
CORE-CAP-003 MUST 3.3.4 Without the capability, GetExtendedAgentCard is UnsupportedOperationError
CORE-CAP-004 MUST 3.3.4 A client that does not declare a required extension gets ExtensionSupportRequiredError
CORE-MULTI-001 MAY 3.4.1 A message without contextId gets a new one
CORE-MULTI-001a MUST 3.4.1 A contextId that the agent made is in its answer, be it a task or a message
CORE-MULTI-002 MAY 3.4.1 A contextId that the client made up is accepted and kept
CORE-MULTI-002a MUST 3.4.1 A contextId that cannot be accepted is refused, and never replaced
CORE-MULTI-003 MUST 3.4.2 Each new task gets an id of its own, and the answer has it
CORE-MULTI-004 MUST 3.4.2 A message with an unknown taskId is TaskNotFoundError
CORE-MULTI-005 MUST 3.4.3 A message with a taskId alone belongs to the context of that task
CORE-MULTI-006 MUST 3.4.3 A message whose contextId is not that of its task is refused
CORE-HIST-001 SHOULD 3.2.4 GetTask and ListTasks with historyLength 0 leave the history out
CORE-HIST-002 MUST 3.2.4 No more messages of the history are given than historyLength asks for, and they are the newest
CORE-HIST-003 SHOULD 3.2.4 SendMessage with historyLength 0 leaves the history out
CORE-HIST-004 MAY 3.7 Messages are kept in the history of their task
CORE-HIST-005 SHOULD 3.7 The history is in the order in which the messages were exchanged
CORE-HIST-006 SHOULD 3.7 A message in the history is as it was sent
DM-TASK-001 MUST 4.1.1 Every task has an id and a status, and no field that the specification does not know
DM-TASK-002 MUST 4.1.3 Every state is one of the eight of the specification
DM-MSG-001 MUST 4.1.4 Every message has a messageId, a role and at least one part
DM-MSG-002 MUST 4.1.5 Every role is ROLE_USER or ROLE_AGENT
DM-PART-001 MUST 4.1.6 Every part has exactly one of text, raw, url and data
DM-ART-001 MUST 4.1.7 Every artifact has an artifactId and at least one part
DM-STATUS-001 MUST 4.1.2 Every status has a state
DM-SERIAL-001 MUST 5.5 JSON has camelCase field names
DM-SERIAL-002 MUST 5.5 JSON has enum values by their names in the proto
DM-SERIAL-003 MUST 5.6.1 Timestamps are ISO 8601 in UTC with a Z, and are read in every such form
DM-SERIAL-004 MUST 5.7 REQUIRED fields are there in what is sent, and are demanded of what is received
DM-SERIAL-005 SHOULD 5.7 Unknown fields are ignored
STREAM-ORDER-001 MUST 3.5.2 Events arrive in the order in which they were made
STREAM-ORDER-002 MUST 3.5.2 An event goes to all streams of its task
STREAM-ORDER-003 MUST 3.5.2 All streams of a task carry the same events in the same order
STREAM-ORDER-004 MUST 3.5.2 Closing one stream does not touch the others
STREAM-SUB-001 MUST 3.1.6 A subscription begins with the task as it is then
STREAM-SUB-002 MUST 3.1.6 A subscription ends once its task is in any terminal state
STREAM-SUB-003 MUST 3.1.6 A subscription to a task in any terminal state is UnsupportedOperationError
STREAM-SUB-004 MUST 3.1.6 A subscription to an unknown or inaccessible task is TaskNotFoundError
PUSH-CREATE-001 MUST 3.1.7 Creating a config sets up a webhook for the updates of a task
PUSH-CREATE-002 MUST 3.1.7 A config lasts until its task is complete or it is deleted
PUSH-GET-001 MUST 3.1.8 Getting a config gives its webhook and settings
PUSH-GET-002 MUST 3.1.8 Getting a config that is unknown or inaccessible fails
PUSH-LIST-001 MUST 3.1.9 Listing gives all configs of the task
PUSH-DEL-001 MUST 3.1.10 A deleted config is gone for good, and nothing more is sent to its webhook
PUSH-DEL-002 MUST 3.1.10 Deleting again has the same effect
PUSH-DELIVER-001 MUST 4.3.3 Notifications carry the credentials that the config asks for
PUSH-DELIVER-002 MUST 4.3.3 Delivery is tried at least once for each webhook
PUSH-DELIVER-003 MUST 4.3.3 The payload of a notification is a StreamResponse
CARD-DISC-001 MUST 8.1 The agent card is available, with identity, capabilities, skills and what a call needs
CARD-PROTO-001 MUST 8.3 The card declares the protocols that are served
CARD-PROTO-002 MUST 8.3.1 Each interface has its true binding and address
CARD-STRUCT-001 MUST 4.4.1 The card has every REQUIRED field
CARD-EXT-001 MUST 3.1.11 The extended card wants authentication by a scheme that the public card declares
CARD-EXT-002 MUST 3.1.11 An extended card that is declared and not configured is ExtendedAgentCardNotConfiguredError
CARD-SIGN-001 MUST 8.4.1 What is signed is the card in the canonical form of RFC 8785
CARD-SIGN-002 MUST 8.4.1 The signatures are no part of what is signed
CARD-SIGN-003 MUST 8.4.2 The protected header of a signature names the algorithm and the key
CARD-SIGN-004 MUST 8.4.3 Keys that have expired or were revoked verify nothing
CARD-CACHE-001 SHOULD 8.6.1 The card comes with Cache-Control and max-age
CARD-CACHE-002 SHOULD 8.6.1 The card comes with an ETag
CARD-CACHE-003 MAY 8.6.1 The card comes with Last-Modified
VER-CLIENT-001 MUST 3.6.1 The client sends A2A-Version with every request, that for the card included
VER-SERVER-001 MUST 3.6.2 A request is processed by the semantics of the version that it asks for
VER-SERVER-002 MUST 3.6.2 A version that is not served is VersionNotSupportedError
VER-SERVER-003 MUST 3.6.2 An empty A2A-Version means version 0.3
VER-CLIENT-002 MUST 3.6 Patch digits of a version do not count
BIND-EQUIV-001 MUST 5.1 Every binding has the same operations
BIND-EQUIV-002 MUST 5.1 Every binding gives equivalent results for the same requests
BIND-EQUIV-003 MUST 5.1 Every binding maps errors the same way, in its own codes
BIND-EQUIV-004 MUST 5.1 Every binding takes the same authentication
BIND-FIELD-001 MUST 5.2 Every binding that is served is declared in the card
JSONRPC-FMT-001 MUST 9.1 Requests and answers are JSON-RPC 2.0
JSONRPC-FMT-002 MUST 9.1 Requests and answers of JSON-RPC are application/json
JSONRPC-SVC-001 MUST 9.1 Methods of JSON-RPC have the PascalCase names of the operations
JSONRPC-SVC-002 MUST 9.2 Service parameters of JSON-RPC are HTTP headers
JSONRPC-ERR-001 MUST 9.5 Errors of JSON-RPC have code, message and a list of typed details
JSONRPC-ERR-002 MUST 9.5 Errors of A2A have codes from -32099 to -32001
JSONRPC-ERR-003 MUST 9.5 Errors of A2A over JSON-RPC have an ErrorInfo with reason and domain
JSONRPC-SSE-001 MUST 9.4.2 A stream of JSON-RPC is Server-Sent Events, each a JSON-RPC answer with a StreamResponse
JSONRPC-SSE-002 MUST 5.4 Each error of A2A has its JSON-RPC code
GRPC-SVC-001 MUST 10.1 gRPC serves the A2AService of the proto
GRPC-SVC-002 MUST 10.1 gRPC is serialized by Protocol Buffers 3
GRPC-SVC-003 MUST 10.1 gRPC runs over HTTP/2 with TLS
GRPC-META-001 MUST 10.2 Service parameters of gRPC are metadata
GRPC-ERR-001 MUST 10.6 Errors of A2A over gRPC have an ErrorInfo with reason and domain
GRPC-ERR-002 MUST 5.4 Each error of A2A has its gRPC status
GRPC-ERR-003 MUST 10.7 Streams of gRPC are server streaming calls of StreamResponse
HTTP_JSON-URL-001 MUST 11.3 HTTP+JSON serves each operation at its address
HTTP_JSON-URL-002 MUST 11.3 HTTP+JSON serves each operation by its method
HTTP_JSON-SVC-001 MUST 11.1 HTTP+JSON takes and gives application/a2a+json, and application/json to who wants that
HTTP_JSON-SVC-002 MUST 11.2 Service parameters of HTTP+JSON are HTTP headers
HTTP_JSON-QP-001 MUST 11.5 Parameters of a GET are in the query, in camelCase and URL-encoded
HTTP_JSON-ERR-001 MUST 11.6 Errors of HTTP+JSON are an object with code, status, message and details
HTTP_JSON-ERR-002 MUST 11.6 Errors of A2A over HTTP+JSON have an ErrorInfo with reason and domain
HTTP_JSON-STATUS-001 MUST 5.4 Each error of A2A has its HTTP status
HTTP_JSON-SSE-001 MUST 11.7 A stream of HTTP+JSON is Server-Sent Events, each a StreamResponse
AUTH-TLS-001 MUST 7.1 Production deployments use encrypted communication
AUTH-TLS-002 SHOULD 7.1 TLS is of a modern configuration
AUTH-SERVER-001 SHOULD 7.2 The client verifies the TLS certificate of the server
AUTH-SERVER-002 MUST 7.4 The server authenticates every request as its card declares
AUTH-INTASK-001 MUST 7.6.1 What needs an authorization is tracked by a task
AUTH-INTASK-002 MUST 7.6.1 A task that needs an authorization enters TASK_STATE_AUTH_REQUIRED
AUTH-INTASK-003 MUST 7.6.1 Its status message explains what must be authorized
AUTH-INTASK-004 MUST 7.6.1 The authorization is received outside the protocol
AUTH-INTASK-005 SHOULD 7.6.1 Streams stay open while an authorization is awaited
AUTH-INTASK-006 SHOULD 7.6.1 Messages are taken while an authorization is awaited: to negotiate, correct or reject
AUTH-SCOPE-001 MUST 13.1 Every operation checks who calls and what they may do
AUTH-SCOPE-002 MUST 13.1 Results hold only what the caller may see
AUTH-SCOPE-003 MUST 3.3.2 What a caller may not see is not told from what does not exist
`

const proxy = 'deployment: agents speak plain text and stand behind a proxy that terminates TLS'

/** By id, or by the start of an id with a `*`. */
const reasons: { readonly [id: string]: string } = {
  'GRPC-SVC-003': proxy,
  'AUTH-TLS-001': proxy,
  'AUTH-TLS-002': proxy,
}

const reasonFor = (id: string): string | undefined => {
  const start = Object.keys(reasons).find((one) => one.endsWith('*') && id.startsWith(one.slice(0, -1)))
  return reasons[id] ?? reasons[start ?? '']
}

export const requirements: readonly Requirement[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [, id, level, section, title] = /^(\S+) (MUST|SHOULD|MAY) (\S+) (.+)$/.exec(line) ?? []
    if (!id || !level || !section || !title) throw new Error(`This is no requirement: ${line}`)
    const reason = reasonFor(id)
    return { id, level: level as Level, section, title, ...(reason === undefined ? {} : { reason }) }
  })
