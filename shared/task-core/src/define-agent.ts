// What an agent is: a card and one async function, and all that the function can call. Knows neither HTTP nor SQLite.
import type {
  AgentCard,
  AgentExtension,
  Artifact,
  Content,
  Message,
  Part,
  SendMessageResponse,
  StreamResponse,
  Struct,
  Task,
} from './protocol/index.ts'

/** The part of the agent card that its author writes; addresses and capabilities are added by the server (§4.4.1). */
export type AgentDescription = Omit<AgentCard, 'supportedInterfaces' | 'capabilities'>

/** An agent: hand it to `startAgent`. */
export interface Agent {
  card: AgentDescription
  /** Extensions of the author's own (§4.6). A required one is enforced on every operation. */
  extensions?: AgentExtension[]
  /** What the extended card says instead, and its further skills (§13.3); only authenticated callers see it. */
  extended?: Partial<AgentDescription>
  /** The metadata of each task that the agent starts (§4.1.1), such as its skill. That of a request is no part of it: see `requestMetadata`. */
  taskMetadata?: Struct
  /**
   * Does the task. Called from the top again after every wait and every restart; calls on `task` whose outcome is recorded
   * return it at once, so outside `step` it computes only from the message and from recorded results.
   * Returning completes the task, with the returned content as the status message, if any.
   * A thrown `TaskError` fails it with its text; any other error fails it with a reference that the log explains.
   */
  run(task: TaskHandle): Promise<Content | void>
  /**
   * Called when the task is canceled, after the running step was given time to stop: undoes or passes on what was
   * done, and returns what the status message of the canceled task says. `step` is the only call it has.
   */
  canceled?(task: CanceledTask): Promise<Content | void>
  /**
   * Called for a message that would start a task: content returned here answers it with a message and no task (§3.1.1).
   * Must be quick, and must not change anything.
   */
  reply?(message: Message): Promise<Content | undefined> | Content | undefined
}

/** Returns `agent` with its type checked. */
export const defineAgent = (agent: Agent): Agent => agent

/** Fails the task with a text that its caller reads. Any other error's text stays in the log. */
export class TaskError extends Error {
  override readonly name = 'TaskError'
}

/**
 * Fails the task since a service behind the agent takes no more requests for now, rather than let it hang. The status message says as
 * text and as data (`urn:a2a-kit:retry-at:1`) from when on it takes them.
 * @throws RangeError for `resetAt` that is no time
 */
export class RateLimited extends TaskError {
  readonly resetAt: Date
  /** What was said without the time. */
  readonly said: string

  constructor(resetAt: Date, said = 'A service behind this agent takes no more requests for now.') {
    const at = resetAt.toISOString()
    super(said.includes(at) ? said : `${said} Try again at ${at}.`)
    this.resetAt = resetAt
    this.said = said
  }
}

/**
 * What a run can read and call. One call at a time: a second one while the first is open throws.
 *
 * Nobody sees an event before it is stored, but `working` and `artifact` return before that. Every other call first waits until all that was
 * emitted is stored, and gives its outcome once that is stored too. If something cannot be stored, the run gets no further than its
 * next call, and `run` is called again from the top, as after a crash.
 */
export interface TaskHandle {
  readonly id: string
  readonly contextId: string
  /** Who started the task, as this agent knows its callers; `anyone` where it tells none apart. */
  readonly caller: string
  /** The message that started the task. */
  readonly message: Message
  /** The metadata of the request that started the task. */
  readonly requestMetadata: Struct
  /** Aborts when the task is canceled or the process stops. */
  readonly signal: AbortSignal

  /** Moves the task to TASK_STATE_WORKING, with a progress text that stays out of the history. Returns before that is stored. */
  working(progress?: Content): Promise<void>

  /** Moves the task to TASK_STATE_INPUT_REQUIRED and gives the message that answers (§3.4.3). */
  ask(question: Content, options?: AskOptions): Promise<Message>

  /**
   * Moves the task to TASK_STATE_AUTH_REQUIRED until an operator decides, the request expires, or the client sends a message
   * (§7.6.1). The decision holds for exactly `operation`, by its digest. After a message, ask again: the same operation
   * is the same request; another one replaces it, and the old one is void. An approval is used by the one step that names it; until
   * that begins it can be revoked, and then this gives `revoked`.
   */
  authorize(request: AuthorizationRequest): Promise<Decision>

  /**
   * Does a side effect once and remembers its result, which must be JSON. `work` is called when all that the task did before is stored, and
   * again after a crash between doing and recording, with the same idempotency key. A failure is recorded and rethrown.
   * A step that does what was approved names the approval. It is used up before `work` begins, by this step alone; if it was
   * revoked or has expired, `work` is not called, and the run begins again, with what became of the approval.
   */
  step<T>(
    name: string,
    work: (step: StepContext) => Promise<T> | T,
    options?: { approval?: Approval },
  ): Promise<T>

  /** Emits a whole artifact (§4.1.7). Returns before that is stored. */
  artifact(artifact: ArtifactContent): Promise<void>

  /**
   * Hands work to another agent and stays with it to its end: sends the message, mirrors the other task's waits on this one
   * (as the other's words), forwards answers, corrections and cancel, and goes on after a restart.
   * @throws TaskError when the other agent cannot be reached, with the reason
   */
  follow(name: string, delegation: Delegation): Promise<FollowedTask>

  /**
   * The tasks that the message names in `referenceTaskIds`, as they were when this was first called (§3.4.3). Those that are not known any more,
   * or another caller's, are left out, and so are all after the first 20.
   * @throws TaskError when together they are larger than MAX_ARTIFACT_BYTES
   */
  references(): Promise<Task[]>

  /** Ends the task as TASK_STATE_REJECTED with the reason. Never returns. */
  reject(reason: Content): Promise<never>
}

export interface AskOptions {
  /** The JSON Schema of the data that answers, for clients that are programs. The agent reads the answer itself: a text may come as well. */
  schema?: Struct
}

export interface StepContext {
  /** The same for every call of this step of this task. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /**
   * Chunks of artifacts, sent as they come where `STREAM_ARTIFACTS` is on, else as one artifact at the step's end. One at a time: await each.
   * @throws TaskError if the task has emitted too much; Error while another chunk is open
   */
  readonly out: { append(chunk: ArtifactContent): Promise<void> }
}

/** An artifact by its content: exactly one of `text`, `data` (any JSON value) and `parts`. Chunks with the same name are one artifact. */
export interface ArtifactContent {
  name: string
  description?: string
  text?: string
  data?: unknown
  parts?: Part[]
  /** Of `text` or `data`; `application/json` for `data` by default. */
  mediaType?: string
  metadata?: Struct
}

export interface AuthorizationRequest {
  /** Exactly what would be done; the approval covers this and nothing else. */
  operation: Struct
  /** The text of the status message, given the address at which an operator approves. */
  explain: (approveUrl: string) => string
}

/** What became of an authorization request. Times are ISO 8601. */
export type Decision =
  | Approval
  | { outcome: 'denied' | 'revoked'; by: string; at: string; digest: string; reason: string }
  | { outcome: 'expired'; at: string; digest: string }
  | { outcome: 'message'; message: Message }

/** That an operator approved one operation: for one step, which names it in its options. */
export interface Approval {
  outcome: 'approved'
  by: string
  at: string
  /** Of the operation, as `authorize` was given it. */
  digest: string
}

/** What `canceled` sees. */
export interface CanceledTask {
  readonly id: string
  readonly contextId: string
  readonly message: Message
  /** The metadata of the CancelTask request. */
  readonly requestMetadata: Struct
  /** The names of the steps that were recorded as done, in order. */
  readonly done: readonly string[]
  /** The step that was running and did not stop in time; it may still finish. */
  readonly unfinished?: string
  /** The recorded result of a step (its first, or the nth), or undefined if it has none. */
  result<T>(step: string, occurrence?: number): T | undefined
  step<T>(name: string, work: (step: StepContext) => Promise<T> | T): Promise<T>
}

/** Another agent, as `@a2a-kit/client` gives it. Every call rejects with A2AError for an error that the agent answered. */
export interface RemoteAgent {
  readonly name: string
  readonly url: string
  /** Blocking unless `returnImmediately`; safe to repeat with the same messageId. */
  sendMessage(
    message: Message,
    options?: { returnImmediately?: boolean; signal?: AbortSignal },
  ): Promise<SendMessageResponse>
  getTask(id: string, options?: { signal?: AbortSignal }): Promise<Task>
  cancelTask(id: string, options?: { signal?: AbortSignal }): Promise<Task>
  /**
   * Follows a task through drops until it is terminal: each value is the event, its id, and the task after it. Begins with a `task` event.
   * Rejects with the reason when it gives up.
   */
  watch(
    taskId: string,
    options?: { lastEventId?: string; signal?: AbortSignal },
  ): AsyncIterable<{ event: StreamResponse; eventId?: string; task: Task }>
}

export interface Delegation {
  agent: RemoteAgent
  /** What the other agent is asked to do. */
  message: Content
  /** The answer to the other's nth question, counted from 1, if this agent knows it; undefined passes the question up. */
  answer?: (question: Message, nth: number) => Content | undefined
}

/** The end of another agent's task, and what was asked on the way. Times are ISO 8601. */
export interface FollowedTask {
  agent: string
  task: Task
  artifacts: Artifact[]
  asked: AskedQuestion[]
  /** When this agent began to ask for it. */
  startedAt: string
  /** The other agent's own time for the end. */
  endedAt: string
}

export interface AskedQuestion {
  kind: 'question' | 'authorization'
  text: string
  at: string
  /** `self`: the agent knew the answer; `caller`: its own caller answered; `outside`: an approval or another party. */
  answeredBy: 'self' | 'caller' | 'outside'
  answer?: string
  answeredAt: string
}
