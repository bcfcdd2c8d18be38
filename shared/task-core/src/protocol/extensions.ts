// The extensions that the kit defines, by their URIs (§4.6).

/** Replays on SubscribeToTask what came after the event named in `Last-Event-ID`; ids are the events' numbers in the task. */
export const replayExtension = 'urn:a2a-kit:replay:1'
