// What other workspaces and layers use of telemetry; what is loaded only where it is switched on is not among it.
export {
  activeIds,
  activeScope,
  activeTraceparent,
  idsOf,
  noteTask,
  outside,
  type Scope,
  spanned,
  type TaskIds,
  taskScope,
  traceOf,
  within,
} from './scope.ts'
export { type Metrics, plainTracer, type Span, type Telemetry, type Tracer } from './telemetry.ts'
export { readTraceparent, type TraceContext, writeTraceparent } from './trace-context.ts'
