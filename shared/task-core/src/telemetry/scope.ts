// The trace and the task that the work under way belongs to: known to log lines, spans and outgoing requests without being handed down.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions, Telemetry } from './telemetry.ts'
import { readTraceparent, type TraceContext, writeTraceparent } from './trace-context.ts'

export interface Scope {
  telemetry: Telemetry
  /** As the caller gave it, or as the innermost span has it. `traceOf` makes one where it is needed and missing. */
  trace?: TraceContext | undefined
  /** By which binding the request came. */
  binding?: string
  /** The span of the operation that the request is. */
  span?: Span | undefined
  taskId?: string
  contextId?: string
}

/** What a stored task says of itself. */
export interface TaskIds {
  id: string
  contextId: string
  /** `traceparent`; null for a task that is older than traces. */
  trace: string | null
}

const scopes = new AsyncLocalStorage<Scope | undefined>()

export const activeScope = (): Scope | undefined => scopes.getStore()

/** Does `work`, and what follows from it, in `scope`. */
export const within = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** Does `work` in no scope: what follows from it is not the work of whoever happens to be under way. */
export const outside = <T>(work: () => T): T => scopes.run(undefined, work)

export function traceOf(scope: Scope): TraceContext {
  scope.trace ??= scope.telemetry.tracer.newTrace()
  return scope.trace
}

/** The scope of work on the task of a row. */
export function taskScope(telemetry: Telemetry, row: TaskIds): Scope {
  const trace = readTraceparent(row.trace ?? undefined)
  return { telemetry, trace, taskId: row.id, contextId: row.contextId }
}

/** Notes that the request under way is about this task. One to which no trace was given joins the task's. */
export function noteTask(row: TaskIds | undefined): void {
  const scope = activeScope()
  if (!scope || !row) return
  scope.taskId = row.id
  scope.contextId = row.contextId
  if (scope.trace && !scope.span) return // it has its trace, and nobody records what else there is to say
  const trace = readTraceparent(row.trace ?? undefined)
  scope.trace ??= trace
  scope.span?.set({ 'a2a.task.id': row.id, 'a2a.context.id': row.contextId })
  if (trace && trace.traceId !== scope.trace?.traceId) scope.span?.link(trace)
}

/** The header `traceparent` for what is sent or stored now; undefined outside of any work. */
export function activeTraceparent(): string | undefined {
  const scope = activeScope()
  return scope && writeTraceparent(traceOf(scope))
}

/** What a log line says of the work that it comes from. */
export function activeIds(): { traceId?: string; taskId?: string; contextId?: string } {
  const scope = activeScope()
  if (!scope) return {}
  const { taskId, contextId } = scope
  return { traceId: traceOf(scope).traceId, ...(taskId !== undefined && { taskId, contextId }) }
}

/** The same for a line about the task of a row, wherever it comes from. */
export const idsOf = ({ id: taskId, contextId, trace }: TaskIds) => ({
  taskId,
  contextId,
  traceId: trace?.slice(3, 35), // of `00-<trace id>-<span id>-<flags>`
})

/** Does `work` in a span of its own, below the one that is under way. Without recording, or outside of any work, it is just done. */
export async function spanned<T>(options: Omit<SpanOptions, 'parent'>, work: () => Promise<T>): Promise<T> {
  const scope = activeScope()
  const span = scope?.telemetry.tracer.begin({ ...options, parent: traceOf(scope) })
  if (!span) return work()
  try {
    const result = await within({ ...scope!, trace: span.trace }, work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
