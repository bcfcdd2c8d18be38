// Who sees a play: a check, or a reader at a terminal.
import type { Exchange } from '../../capture/model.ts'
import type { Moment } from '../../capture/timeline.ts'
import type { PartFinding } from './judge.ts'
import type { Delivery } from './receiver.ts'
import type { LiveRequest } from './requests.ts'
import type { LiveAnswer, LiveFrame } from './wire.ts'

/** What becomes of a request: it is sent, somebody else has done it, they have done something else, or the reader leaves. */
export type Go = 'send' | 'done' | 'otherwise' | 'leave'

/** Sees a play, in the order in which the capture is read. `findings` are what is not as recorded. */
export interface Viewer {
  request(exchange: Exchange, live: LiveRequest): Go | Promise<Go>
  /** `live` is undefined where somebody else had it. Of a stream, this is how it begins. */
  answer(exchange: Exchange, live: LiveAnswer | undefined, findings: PartFinding[]): void
  /** `live` is undefined if it did not come. */
  frame(exchange: Exchange, index: number, live: LiveFrame | undefined, findings: PartFinding[]): void
  /** What a webhook received; `live` is undefined if it did not come. The reader may leave before it is shown. */
  delivery(exchange: Exchange, live: Delivery | undefined, findings: PartFinding[]): Go | Promise<Go>
  /** What agents said to each other: nobody else can see it. The reader may leave before a request. */
  overheard(moment: Moment): Go | Promise<Go>
  /** A frame that came after something else was done than in the capture. */
  unrecorded?(exchange: Exchange, live: LiveFrame): void
  /** The stream was lost before its end. With a viewer that hears of it, the play subscribes again. */
  lost?(exchange: Exchange): void
  /** The stream has ended, or should have. */
  ended(exchange: Exchange, findings: PartFinding[]): void
}
