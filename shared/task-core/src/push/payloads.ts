// What a receiver gets for an event, by the version of the protocol in which its config was made.
import type { EventReader, LoggedEvent, PushVersion } from '../store/index.ts'

/** The body for an event of the task; `events` is for a version that needs more of the log than the event. */
export type Payload = (event: LoggedEvent, task: number, events: EventReader) => string

export type Payloads = { readonly '1.0': Payload } & { readonly [version in PushVersion]?: Payload }

/** StreamResponse, as every stream sends it (§4.3.3). */
export const payloads: Payloads = { '1.0': ({ frame }) => frame }
