// When the streams of the captures end, and who ends them.
import { taskStates } from '@a2a-kit/task-core/protocol'
import type { Capture, Exchange } from '../../../capture/model.ts'
import { captureFolder, nameOf } from '../library.ts'
import { link, table } from '../markdown.ts'
import { statusesOf } from './statuses.ts'

export interface StreamEnd {
  capture: string
  exchange: Exchange
  /** The last state that it showed; undefined if it showed none. */
  state: (typeof taskStates)[number] | undefined
  endedBy: 'agent' | 'client'
}

/** All streams, in the order of the captures. */
export const streamEnds = (captures: Capture[]): StreamEnd[] =>
  captures.flatMap(({ name, exchanges }) =>
    exchanges
      .filter(({ answer }) => answer.frames)
      .map((exchange) => ({
        capture: name,
        exchange,
        state: statusesOf(exchange).at(-1)?.state,
        endedBy: exchange.answer.cut ? 'client' : 'agent',
      })),
  )

/** One row for all streams that are alike. */
export function streamsTable(captures: Capture[], page: string): string[] {
  const rank = ({ state }: StreamEnd) => (state ? taskStates.indexOf(state) : -1)
  const alike = Map.groupBy(
    streamEnds(captures).toSorted((one, other) => rank(one) - rank(other)),
    ({ state, endedBy, exchange }) => `${state} ${endedBy} ${exchange.title}`,
  )
  const rows = [...alike.values()].map((streams) => {
    const [{ state, endedBy, exchange }] = streams as [StreamEnd]
    const places = streams.map((stream) =>
      link(
        page,
        `${captureFolder}/${stream.capture}.http`,
        `${stream.capture.slice(0, 2)} ${nameOf(stream.exchange)}`,
      ),
    )
    return [
      state ? `\`${state}\`` : 'a message and no task',
      `the ${endedBy}`,
      `\`${exchange.title}\``,
      places.join(', '),
    ]
  })
  return table(['last state', 'ended by', 'operation', 'streams'], rows)
}
