// How much a task may emit as artifacts: who goes beyond fails, before anything of it is stored or gathered.
import { TaskError } from '../../define-agent.ts'
import type { Part } from '../../protocol/index.ts'
import type { Settings } from '../../settings.ts'

/** What a task has emitted so far, or is about to. */
export interface Emitted {
  artifacts: number
  artifactBytes: number
}

/** What `parts` count, in bytes of JSON. */
export const bytesOf = (parts: Part[]): number => Buffer.byteLength(JSON.stringify(parts))

/** @throws TaskError that names the limit */
export function checkEmitted(
  { artifacts, artifactBytes }: Emitted,
  { maxArtifacts, maxArtifactBytes }: Pick<Settings, 'maxArtifacts' | 'maxArtifactBytes'>,
): void {
  if (artifacts > maxArtifacts) throw new TaskError(`The task has more than ${maxArtifacts} artifacts.`)
  if (artifactBytes > maxArtifactBytes) {
    throw new TaskError(`The artifacts of the task have more than ${maxArtifactBytes} bytes.`)
  }
}
