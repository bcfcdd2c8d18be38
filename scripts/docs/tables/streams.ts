// When the streams of the captures end, and who ends them.
import type { Capture, Exchange } from '../../../capture/model.ts'
import { captureFolder, nameOf } from '../library.ts'
import { link, table } from '../markdown.ts'
import { statusesOf } from './statuses.ts'

export interface StreamEnd {
  capture: string
  exchange: Exchange
  /** The last state that it showed, if it showed one. */
  state: string | undefined
  /** Else the agent ended it. */
  leftByClient: boolean
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
        leftByClient: exchange.answer.cut === true,
      })),
  )

export const streamsTable = (captures: Capture[], page: string): string[] =>
  table(
    ['capture', 'operation', 'frames', 'last state', 'ended by'],
    streamEnds(captures).map(({ capture, exchange, state, leftByClient }) => [
      `${link(page, `${captureFolder}/${capture}.http`, capture.slice(0, 2))}, ${nameOf(exchange)}`,
      `\`${exchange.title}\``,
      String(exchange.answer.frames!.length),
      state ? `\`${state}\`` : 'none',
      leftByClient ? 'the client' : 'the agent',
    ]),
  )
