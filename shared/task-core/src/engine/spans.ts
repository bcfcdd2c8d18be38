// The spans of a run: one for each turn, and in it one for each call that is not recorded yet. A wait is in none of them.
import { type Span, type TaskIds, type Telemetry, taskScope, traceOf } from '../telemetry/index.ts'

/**
 * Every turn is a child of what made the task, however long ago: a task has one trace, and no span that lasts as long as a wait.
 * `scope` is what the run is to be driven in.
 */
export function createSpans({ telemetry }: { telemetry: Telemetry }, row: TaskIds) {
  const { tracer } = telemetry
  const scope = taskScope(telemetry, row)
  const root = traceOf(scope)
  const attributes = { 'a2a.task.id': row.id, 'a2a.context.id': row.contextId }
  let turn: Span | undefined
  let call: Span | undefined
  /** The call that is open, recorded or not; it goes on in the next turn if this one is given back before its end. */
  let open: string | undefined

  const begin = (name: string, parent = root) => tracer.begin({ name, kind: 'internal', parent, attributes })
  const enter = () => {
    scope.trace = (call ?? turn)?.trace ?? root
  }
  function leave(error?: unknown): void {
    call?.end(error)
    call = undefined
    enter()
  }

  return {
    scope,
    beginTurn(): void {
      turn = begin('turn')
      if (open !== undefined) call = begin(open, turn?.trace)
      enter()
    },
    endTurn(): void {
      leave()
      turn?.end()
      turn = undefined
      enter()
    },
    /** `name` is such as `step:deploy`. */
    beginCall(name: string): void {
      open = name
      call ??= begin(name, turn?.trace)
      enter()
    },
    endCall(error?: unknown): void {
      open = undefined
      leave(error)
    },
  }
}
