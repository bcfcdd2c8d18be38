// The operations as telemetry sees them: how long each took, how it ended, its span, and the streams that are open.
import type { A2AError } from '../protocol/index.ts'
import { activeScope, type Span, type Telemetry } from '../telemetry/index.ts'
import { failureOf } from './failure.ts'
import type { Frames } from './frames.ts'
import type { Operations, Streaming, Unary } from './index.ts'

/** What has no binding is not called by any: a test for example. */
const bindingOf = () => activeScope()?.binding ?? 'none'

/** The same operations; the very same where nothing is recorded. */
export function observed(operations: Operations, telemetry: Telemetry): Operations {
  const { tracer, metrics } = telemetry
  if (!metrics && !tracer.records) return operations

  /** Does `operate`; `name` is the operation's in the protocol, in every version. */
  async function watched<T>(name: string, operate: () => Promise<T>): Promise<T> {
    const [binding, began, span] = [bindingOf(), performance.now(), beginSpan(telemetry, name)]
    const end = (outcome: string, error?: unknown) => {
      span?.end(error)
      metrics?.operation(name, binding, outcome, (performance.now() - began) / 1000)
    }
    try {
      const result = await operate()
      end('ok')
      return result
    } catch (error) {
      end(outcomeOf(failureOf(error)), error)
      throw error
    }
  }

  const unary =
    (name: string, operate: Unary): Unary =>
    (params, call) =>
      watched(name, () => operate(params, call))
  const streaming =
    (name: string, operate: Streaming): Streaming =>
    async (params, call) => {
      const frames = await watched(name, () => operate(params, call))
      return metrics ? counted(frames, bindingOf()) : frames
    }

  function counted(frames: Frames, binding: string): Frames {
    metrics?.stream(binding, 1)
    return frames.atEnd(() => metrics?.stream(binding, -1))
  }

  return {
    unary: each(operations.unary, unary),
    streaming: each(operations.streaming, streaming),
  }
}

const outcomeOf = ({ name, row }: A2AError): string =>
  name === 'UnavailableError' ? 'cut' : row.http < 500 ? 'refused' : 'failed'

const each = <O extends object, F>(all: O, wrap: (name: string, operate: F) => F): O =>
  Object.fromEntries(Object.entries(all).map(([name, operate]) => [name, wrap(name, operate)])) as O

/** The span of the request that is under way; what the request starts is below it. */
function beginSpan({ tracer }: Telemetry, name: string): Span | undefined {
  const scope = activeScope()
  const attributes = { 'a2a.operation': name, 'a2a.binding': bindingOf() }
  const span = tracer.begin({ name, kind: 'server', parent: scope?.trace, attributes })
  if (scope && span) Object.assign(scope, { span, trace: span.trace })
  return span
}
