// The chunks of artifacts that a step emits: sent as they come, or gathered and sent whole at the step's end.
import type { ArtifactContent } from '../../define-agent.ts'
import { type Artifact, type Json, type Part, partsOf } from '../../protocol/index.ts'
import type { Run } from '../run.ts'
import { bytesOf, checkEmitted, type Emitted } from './artifact-limits.ts'

/** The artifact that `content` describes. */
export function toArtifact(artifactId: string, content: ArtifactContent): Artifact {
  const { name, description, metadata } = content
  return {
    artifactId,
    name,
    ...(description === undefined ? {} : { description }),
    parts: toParts(content),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function toParts({ text, data, parts, mediaType }: ArtifactContent): Part[] {
  if (parts) return partsOf(parts)
  if (data !== undefined) return [{ data: data as Json, mediaType: mediaType ?? 'application/json' }]
  return [{ text: text ?? '', ...(mediaType === undefined ? {} : { mediaType }) }]
}

interface Held {
  artifactId: string
  content: ArtifactContent
  /** Whether a chunk went out in this call of the step: the first one replaces what an earlier call left. */
  sent: boolean
}

export type Chunks = ReturnType<typeof createChunks>

/** The chunks of the step with the key `step`. One chunk is always held back, so that the last one can be marked. */
export function createChunks(
  { core, journal, row, signal }: Pick<Run, 'core' | 'journal' | 'row' | 'signal'>,
  step: string,
) {
  const { store, writer, world, settings } = core
  const held = new Map<string, Held>()
  let emitted: Emitted | undefined
  let isOpen = false

  function start(content: ArtifactContent): Held {
    const key = `${step}/artifact:${content.name}`
    const known = journal.get<{ artifactId: string }>(key)
    const artifactId = known?.artifactId ?? world.id('artifact')
    return { artifactId, content, sent: false }
  }

  function emit(one: Held, lastChunk: boolean): void {
    if (!one.sent) journal.put(`${step}/artifact:${one.content.name}`, { artifactId: one.artifactId })
    writer.artifact(row(), toArtifact(one.artifactId, one.content), { append: one.sent, lastChunk })
    store.afterCommit(() => Object.assign(one, { sent: true })) // what could not be stored is emitted anew
  }

  /** Counts what is held too, so that memory is bounded where chunks are gathered, and what was held can always be sent. */
  function count(content: ArtifactContent): void {
    if (!emitted) {
      const { artifacts, artifactBytes } = row()
      emitted = { artifacts, artifactBytes }
    }
    emitted.artifactBytes += bytesOf(toParts(content))
    if (!held.has(content.name)) emitted.artifacts += 1
    checkEmitted(emitted, settings)
  }

  async function add(content: ArtifactContent): Promise<void> {
    signal.throwIfAborted() // so that a step that never looks at its signal stops here
    if (isOpen)
      throw new Error('out.append was called while another is open: one chunk at a time, await each.')
    isOpen = true
    try {
      count(content)
      const before = held.get(content.name)
      if (!before) {
        held.set(content.name, start(content))
      } else if (settings.streamArtifacts) {
        store.append(() => emit(before, false))
        await store.stored()
        before.content = content
      } else {
        before.content = joined(before.content, content)
      }
    } finally {
      isOpen = false
    }
  }

  return {
    /**
     * @throws TaskError if the task has emitted too much: this chunk, and all that come after it, are not sent
     * @throws Error while another chunk is being stored: it was not awaited
     */
    append(content: ArtifactContent): Promise<void> {
      const added = add(content)
      added.catch(() => {}) // work that does not await it must not end the process
      return added
    },
    /** @throws Error if a chunk is still being stored: the work did not await it */
    checkEnded(): void {
      if (isOpen) throw new Error('The step ended while out.append is open: await each.')
    },
    /** Emits what is held, the last chunk of each artifact marked. For use inside `store.append` or `store.write`. */
    finish: () => held.forEach((one) => void emit(one, true)),
    /** Emits what a failed step had held of a stream that has begun. For use inside `store.append` or `store.write`. */
    giveUp: () => held.forEach((one) => void (settings.streamArtifacts && emit(one, false))),
  }
}

/** One content for both: text grows, other parts follow each other. */
function joined(before: ArtifactContent, next: ArtifactContent): ArtifactContent {
  if (before.text !== undefined && next.text !== undefined && before.mediaType === next.mediaType) {
    return { ...before, text: before.text + next.text }
  }
  const { text: _text, data: _data, ...rest } = before
  return { ...rest, parts: [...toParts(before), ...toParts(next)] }
}
