// The trace that work belongs to, as W3C Trace Context says it in the header `traceparent`.

/** A place in a trace: whatever is done next is a child of `spanId`. */
export interface TraceContext {
  /** 32 hex digits, the same in every process that the work passes through. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  /** Whether those who record traces should record this one. */
  sampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/

/** Reads a header; undefined where it is missing or not valid, since a trace that somebody made up badly counts as none. */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined || header.length > 512) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header for `context`. */
export const writeTraceparent = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
