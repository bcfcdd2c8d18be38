// The two shapes of 0.3's replies, JSON for JSON-RPC and ProtoJSON for HTTP+JSON, made from the objects of 1.0.
import type {
  Artifact,
  Message,
  Part,
  Role,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from '../protocol/index.ts'
import type { Fields } from './objects.ts'
import { jsonPart, protoPart } from './parts.ts'

/** What one shape says otherwise than the other. */
interface Words {
  /** Objects have `kind`, and so need no wrapper that names them. */
  kinds: boolean
  /** The member of a message that holds its parts. */
  content: 'parts' | 'content'
  part(part: Part): Fields
  state(state: TaskState): string
  role(role: Role): string
}

export type Shape = ReturnType<typeof createShape>

function createShape(words: Words) {
  const kind = (name: string): Fields => (words.kinds ? { kind: name } : {})
  const member = (name: string, value: Fields): Fields => (words.kinds ? value : { [name]: value })

  function message({ role, parts, referenceTaskIds, ...rest }: Message): Fields {
    return {
      ...kind('message'),
      ...rest,
      // The proto of 0.3 has no such field, and its parsers refuse those that they do not know.
      ...(words.kinds && referenceTaskIds && { referenceTaskIds }),
      role: words.role(role),
      [words.content]: parts.map(words.part),
    }
  }

  const artifact = ({ parts, ...rest }: Artifact): Fields => ({ ...rest, parts: parts.map(words.part) })

  const status = ({ state, message: said, ...rest }: TaskStatus): Fields => ({
    state: words.state(state),
    ...(said && { message: message(said) }),
    ...rest,
  })

  const task = ({ status: now, artifacts, history, ...rest }: Task): Fields => ({
    ...kind('task'),
    ...rest,
    status: status(now),
    ...(artifacts && { artifacts: artifacts.map(artifact) }),
    ...(history && { history: history.map(message) }),
  })

  /** A frame of a stream, or the answer to a message. `final` says that the stream ends with this frame. */
  function frame(given: StreamResponse, final = false): Fields {
    if (given.task) return member('task', task(given.task))
    if (given.message) return member('message', message(given.message))
    if (given.statusUpdate) {
      const { status: now, ...rest } = given.statusUpdate
      const says = words.kinds || final ? { final } : {}
      return member('statusUpdate', { ...kind('status-update'), ...rest, status: status(now), ...says })
    }
    const { artifact: whole, ...rest } = given.artifactUpdate!
    return member('artifactUpdate', { ...kind('artifact-update'), ...rest, artifact: artifact(whole) })
  }

  return { kinds: words.kinds, message, artifact, task, frame }
}

/** `input-required` for TASK_STATE_INPUT_REQUIRED. */
export const jsonState = (state: string): string =>
  state === 'TASK_STATE_UNSPECIFIED'
    ? 'unknown'
    : state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-')

/** The proto of 0.3 has the British spelling. */
export const protoState = (state: string): string => state.replace(/CANCELED$/, 'CANCELLED')

export const jsonRole = (role: string): string => role.replace('ROLE_', '').toLowerCase()

/** For JSON-RPC. */
export const jsonShape: Shape = createShape({
  kinds: true,
  content: 'parts',
  part: jsonPart,
  state: jsonState,
  role: jsonRole,
})

/** For HTTP+JSON. */
export const protoShape: Shape = createShape({
  kinds: false,
  content: 'content',
  part: protoPart,
  state: protoState,
  role: (role) => role,
})
