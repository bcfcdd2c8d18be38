// Faults that A2A servers and clients have really had, as public issue threads tell them; each is a case that tests of this kit hold by its id.

export interface FieldCase {
  id: string
  /** Whose fault it was: S a server's, C a client's, D that of captures and documentation. */
  kind: string
  /** What is right. */
  title: string
}

/** One a line: id, kind, title. */
const table = `
STR-DISCONNECT-PERSIST S Work goes on and is stored when the client that watched it hangs up
RESUB-GAP S Between a lost stream and the next one nothing is missing and nothing comes twice
RESUB-INPUT-REQUIRED S A task that waits for an answer can be subscribed to
RESUB-TERMINAL-CODE S A subscription to a finished task is refused otherwise than one to an unknown task
STREAM-FIRST-EVENT S A stream begins with the task as it is, and tells no state that the task was not in
SUB-GET-AND-POST SC GET and POST subscribe alike, and an unknown verb does not look up a task
PRE-STREAM-ERROR S What is refused is refused before a stream begins
CLIENT-ERROR-AS-EMPTY-STREAM C An error in place of a stream is an error, and no empty stream
CLIENT-CUT-VS-END C A lost connection is not taken for the end of the task
EARLY-CLOSE S What comes after the agent's turn is stored, streamed and pushed
MULTI-STREAM S Streams of one task bring the same events, and the end of one ends no other
SSE-LINE-ENDINGS C Events are read whatever ends their lines, and however the bytes are cut
SSE-UNICODE-SEPARATORS SC Unusual line separators are text and tear no event
SSE-IDLE-HEARTBEAT S A quiet stream stays alive through a proxy that cuts what is silent
CLIENT-300S C Only the client's own limit ends a quiet stream
CORS-ON-SSE S Streams and errors have the CORS headers that other answers have
MIDSTREAM-THROW S An agent that throws ends its stream with a failed task, and nothing else
BLOCKING-RETURNS-ON-QUESTION S A blocking call returns with the question or the request for approval
QUESTION-NOT-ANNOUNCED S A question reaches those who watch streams and those who get push notifications
CLIENT-FORGETS-TASKID C An answer goes to the task that asked, and starts no other
CONTEXT-INFERRED S An answer with the task's id alone belongs to the task's context
CONTEXT-MISMATCH S A context that is not the task's is refused, and nothing is stored
UNKNOWN-TASKID S An unknown task id starts no task
SEND-TO-FINISHED S A finished task takes no message
DOUBLE-ANSWER S Of two answers to one question one is taken
PAUSE-LOST-IN-CHAIN C A task waits while the task that it depends on waits
AUTH-STREAM-STAYS S A stream stays open while an approval is awaited
AUTH-TREATED-AS-TERMINAL S A task that waits for an approval can be canceled, talked to and watched
AUTH-BLOCKING-THEN-CONTINUES S An approved task goes on though nobody is connected
AUTH-IS-NOT-A-GRANT S An approval covers the one operation that was asked for, once
PARKED-TASK-SURVIVES-RESTART S What waits for a person waits on after a crash
CANCEL-THEN-COMPLETED S However a cancel and a result race, a task has one end
CANCEL-WITHOUT-TERMINAL S A canceled task is canceled in every state that it can wait or work in
CANCEL-CODES S A cancel that is too late, repeated or of an unknown task is the same error everywhere
THROW-LEAVES-WORKING S A task whose agent throws is failed, and an ended one stays as it ended
ZOMBIE-AFTER-CRASH S A task that worked when the process died goes on, and each event is pushed once
REQUIRED-FIELDS S A message that lacks what it must have is refused by the name of the field
VERSION-UNSUPPORTED S A version that is not served is refused on every operation, before anything is done
VERSION-ABSENT SC A request without a version is told which one to send, and the client always sends it
REST-ERROR-SHAPE S Every error of HTTP+JSON has the same shape, those of the framework too
GRPC-ERRORINFO SC Errors are told apart by their reasons, and their lack is no crash
MEDIA-TYPES SC JSON is read by its media type in every spelling, anything else is refused
HISTORY-LENGTH SC A history length of 0 is none, and one that is absent is all
RETURN-IMMEDIATELY S A call returns at once when it is asked to, and else waits
CONTENT-TYPE-OF-PARTS S A part of a media type that the agent does not take is refused as such
DUPLICATE-MESSAGEID SC A message that comes again does its work once
ENUM-FORMS SC States go by their names in the proto, in both directions
ARTIFACT-REDUCE SC Chunks add up to the same artifacts wherever they are put together
PUSH-EVERY-UPDATE S A webhook gets every event that a stream has, however the message was sent
PUSH-PAYLOAD-AND-AUTH S A push notification is a StreamResponse with its credentials
PUSH-RETRY S A webhook that fails is tried again in order, and given up in the end
PUSH-CONFIG-CRUD S Configs of push notifications are made, read and deleted alike on every binding
CARD-URL-REACHABLE S Every address on the card can be called
CARD-SIGNATURE SC The signature of a card holds for its served bytes, and for no others
CARD-VALIDATION C What is no card is an error, and of a card the first interface that fits is taken
CORS-PREFLIGHT S A browser may send the protocol's own headers from an allowed page, and from no other
EXTENSIONS-REQUIRED SC A required extension is wanted on every operation
CAPABILITY-GATES S What the card does not declare is refused by its own error
SQLITE-BUSY S A store that is locked, full or read-only loses and breaks nothing
DOCS-COMPARED-TO-THEMSELVES D What the documentation shows is compared with what the agents do, not with itself
`

export const fieldCases: readonly FieldCase[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [, id, kind, title] = /^(\S+) (S|C|SC|D) (.+)$/.exec(line) ?? []
    if (!id || !kind || !title) throw new Error(`This is no case: ${line}`)
    return { id, kind, title }
  })
