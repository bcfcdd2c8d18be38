// `working` and `artifact`: what a run emits, once each.
import type { ArtifactContent } from '../../define-agent.ts'
import type { Content } from '../../protocol/index.ts'
import type { Run } from '../run.ts'
import { bytesOf, checkEmitted } from './artifact-limits.ts'
import { toArtifact } from './chunks.ts'

export function createEmit({ core, journal, row, call, append }: Run) {
  const { writer, world } = core

  /** Does `write` unless the call with this key did it before. */
  const once = (name: string, key: string, write: () => unknown): Promise<void> =>
    call(name, async () => {
      if (journal.get(key) !== undefined) return
      await append(() => journal.put(key, write() ?? true))
    })

  return {
    working: (progress?: Content) =>
      once('working', journal.next('working'), () => {
        const now = row()
        const message = progress === undefined ? {} : { message: writer.say(now, progress) }
        writer.status(now, 'TASK_STATE_WORKING', message)
      }),
    artifact: (content: ArtifactContent) =>
      once('artifact', journal.next('artifact', content.name), () => {
        const artifact = toArtifact(world.id('artifact'), content)
        const now = row()
        const bytes = now.artifactBytes + bytesOf(artifact.parts)
        checkEmitted({ artifacts: now.artifacts + 1, artifactBytes: bytes }, core.settings)
        writer.artifact(now, artifact, { append: false, lastChunk: true })
        return { artifactId: artifact.artifactId }
      }),
  }
}
