// What a capture is: exchanges in order of their start, with whatever a reader of the file needs.
import type { Json } from '@a2a-kit/task-core'

export type Header = [name: string, value: string]

/** JSON, or text as it came; undefined is none. */
export type Body = Json | undefined

/** How far a stream of another exchange had come. */
export interface Mark {
  exchange: number
  /** Frames that had arrived. */
  frames: number
}

/** One event of a stream. */
export interface Frame {
  /** Since the request, in ms of the answering agent's clock. */
  atMs: number
  /** Its SSE id. */
  id?: string
  data: Json
}

export interface Request {
  method: string
  /** With variables: `{{base}}/a2a`. */
  url: string
  headers: Header[]
  body?: Body
}

export interface Answer {
  status: number
  /** The reason phrase. */
  reason: string
  headers: Header[]
  /** Of a stream, nothing: see `frames`. */
  body?: Body
  /** How long it took, to the end, in ms of the answering agent's clock. */
  ms: number
  /** The exchange that had begun last when this one ended, if that is another one. */
  endedAfter?: number
  frames?: Frame[]
  /** The file beside that holds the frames. */
  events?: string
  /** Set if the client lost the stream, or left it, before it ended. */
  cut?: boolean
}

export interface Exchange {
  /** From 1, in order of start. */
  n: number
  title: string
  from: string
  to: string
  /** The streams that were open, and still had frames to come, when it began. */
  after: Mark[]
  /** The agent that was stopped and started again just before. */
  restarted?: string
  /** What the reader is told before. */
  tell: string
  request: Request
  answer: Answer
  /** What the reader may notice in the answer. */
  notice: string
}

export interface Capture {
  /** `07-auth-required`, the name of its files. */
  name: string
  title: string
  about: string
  /** The variables that the file sets: the addresses. */
  variables: Record<string, string>
  /** The variables that it does not: each a secret, which is never written. */
  secrets: string[]
  exchanges: Exchange[]
}
