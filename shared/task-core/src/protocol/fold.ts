// The one pure function from (task, event) to task: stores, replays and clients all fold with it (§4.2).
import type { Artifact, Message, StreamResponse, Task, TaskArtifactUpdateEvent } from './types.ts'

/** What is logged at once: a frame of the stream, and what it adds to the history, which no frame carries. */
export interface FoldableEvent {
  frame: StreamResponse
  history?: Message[]
}

/**
 * The artifacts after `update`, in order of first appearance. With `append` the parts are added to the artifact with the
 * same id; without it they replace it; an append to an artifact that is not there starts it. Adds in place, since
 * copying would make a long run of chunks cost the square of its length.
 */
export function foldArtifact(artifacts: Artifact[], update: TaskArtifactUpdateEvent): Artifact[] {
  const { artifact, append } = update
  const at = artifacts.findIndex((known) => known.artifactId === artifact.artifactId)
  if (at === -1) artifacts.push({ ...artifact, parts: [...artifact.parts] })
  else if (append) artifacts[at]!.parts.push(...artifact.parts)
  else artifacts[at] = { ...artifact, parts: [...artifact.parts] }
  return artifacts
}

/**
 * The task after `event`. Changes `task` in place and returns it; start from a task of your own.
 * A `task` frame replaces what was known; frames for another task throw.
 */
export function fold(task: Task | undefined, { frame, history }: FoldableEvent): Task {
  if (frame.task) return structuredClone(frame.task)
  const update = frame.statusUpdate ?? frame.artifactUpdate
  if (!task || !update) throw new Error('A stream of a task begins with the task.')
  if (update.taskId !== task.id)
    throw new Error(`An event of task ${update.taskId} among those of ${task.id}.`)
  if (frame.statusUpdate) task.status = frame.statusUpdate.status
  if (frame.artifactUpdate) task.artifacts = foldArtifact(task.artifacts ?? [], frame.artifactUpdate)
  if (history?.length) task.history = [...(task.history ?? []), ...history]
  return task
}
