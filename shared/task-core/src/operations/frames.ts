// The frames of a stream, and how they get to a reader: one at a time, as fast as it takes them.
import type { Core } from '../engine/core.ts'
import type { Feed } from '../feed/feed.ts'
import type { Reader, Watch } from '../feed/watch.ts'
import { endsStream, type TaskState } from '../protocol/index.ts'

/** One frame of a stream: the event's number in the task, where it has one, and StreamResponse as JSON. */
export interface Frame {
  id?: string
  data: string
  /** Set on the event with which the stream ends. */
  last?: true
}

/** What `next` gives when nothing more will come. */
const over = Symbol('over')

/** While nothing happens it holds neither a promise nor a generator: a quiet stream costs little more than its connection. */
export abstract class Frames {
  /** True once there is nothing more to take. */
  ended = false
  /** Is told when there may be something to take, and when the stream was closed. */
  reader: Reader | undefined
  #change: ((frame: Frame) => Frame) | undefined
  #atEnd: (() => void)[] | undefined
  #failure: Error | undefined
  #told = false

  /** The next frame; undefined if there is none yet. */
  protected abstract next(): Frame | undefined | typeof over

  /** Lets go of what it reads from. */
  protected abstract release(): void

  /** The next frame; undefined if there is none yet, or no more once it has `ended`. @throws what the stream fails with, which ends it */
  take(): Frame | undefined {
    if (this.ended) return undefined
    try {
      if (this.#failure) throw this.#failure
      const frame = this.next()
      if (frame !== over) return frame && this.#read(frame)
    } catch (error) {
      this.#end()
      throw error
    }
    this.#end()
    return undefined
  }

  #read(frame: Frame): Frame {
    this.#told = frame.last ?? false
    return this.#change ? this.#change(frame) : frame
  }

  /** Changes each frame before it is taken. */
  map(change: (frame: Frame) => Frame): this {
    this.#change = change
    return this
  }

  /** Has `then` called at the end of the stream, whatever ends it. */
  atEnd(then: () => void): this {
    this.#atEnd ??= []
    this.#atEnd.push(then)
    return this
  }

  /** Lets the stream fail where its reader is, unless that has its last frame. */
  fail(error: Error): void {
    if (this.#told) return
    this.#failure = error
    this.reader?.more()
  }

  /** Ends the stream before its end: its client has left, or the server stops. */
  close(): void {
    if (this.ended) return
    this.#end()
    this.reader?.more()
  }

  #end(): void {
    this.ended = true
    this.release()
    for (const then of this.#atEnd ?? []) then()
  }
}

/** The frames that `source` gives, which never waits. */
export const framesOf = (source: Iterable<Frame>): Frames => new GivenFrames(source)

class GivenFrames extends Frames {
  readonly #source: Iterator<Frame>

  constructor(source: Iterable<Frame>) {
    super()
    this.#source = source[Symbol.iterator]()
  }

  protected next(): Frame | typeof over {
    const { done, value } = this.#source.next()
    return done ? over : value
  }

  protected release(): void {
    this.#source.return?.()
  }
}

/** Where a stream begins: the task as of event `n`. */
export interface StreamStart {
  n: number
  state: TaskState
  /** Task as JSON. */
  task: string
}

/** A task's stream: the task first, then what follows in the log, up to an event that ends streams. */
class TaskFrames extends Frames implements Reader {
  #start: StreamStart | undefined
  #over: boolean
  #watch: Watch | undefined
  readonly #feed: Feed
  readonly #task: number
  readonly #after: number
  readonly #until: number

  constructor(feed: Feed, task: number, start: StreamStart, until: number, over: boolean) {
    super()
    this.#start = start
    this.#over = over
    this.#feed = feed
    this.#task = task
    this.#after = start.n
    this.#until = until
  }

  protected next(): Frame | undefined | typeof over {
    if (this.#start) return this.#first()
    if (this.#over) return over
    const watch = this.#follow()
    const event = watch.next()
    if (!event) return watch.ended ? over : undefined
    const { n, frame, state } = event
    if (!state || !endsStream(state) || n < this.#until) return { id: String(n), data: frame }
    this.#over = true
    return { id: String(n), data: frame, last: true }
  }

  #first(): Frame {
    const { n, task } = this.#start!
    this.#start = undefined // its text is not held for as long as the stream lasts
    return { id: String(n), data: `{"task":${task}}` }
  }

  more(): void {
    this.reader?.more()
  }

  #follow(): Watch {
    if (!this.#watch) {
      this.#watch = this.#feed.watch(this.#task, this.#after)
      this.#watch.reader = this
    }
    return this.#watch
  }

  protected release(): void {
    this.#watch?.close()
  }
}

/**
 * Begins with `start`. Ends with the event that enters input-required or a terminal state, if it is not older than `until`: a
 * question that is past does not end a replay. A stream that starts at a terminal state has one frame.
 */
export function framesFrom(
  { feed }: Pick<Core, 'feed'>,
  task: number,
  start: StreamStart,
  { until = 0, staysAtQuestion = false } = {},
): Frames {
  const { n, state } = start
  const over = endsStream(state) && n >= until && !(staysAtQuestion && state === 'TASK_STATE_INPUT_REQUIRED')
  return new TaskFrames(feed, task, start, until, over)
}

/** Takes frames as fast as it can send them. */
export abstract class FrameReader implements Reader {
  #full = false
  #ended = false
  readonly #frames: Frames

  constructor(frames: Frames) {
    this.#frames = frames
    frames.reader = this
  }

  /** @returns whether it can send the next one right away; else it calls `resume` once it can */
  protected abstract send(frame: Frame): boolean

  /** The stream has ended, which is said once: `failure` is why, if it failed. */
  protected abstract end(failure?: unknown): void

  /** For the beginning too. */
  resume(): void {
    this.#full = false
    this.more()
  }

  more(): void {
    const frames = this.#frames
    try {
      while (!this.#full && !frames.ended) {
        const frame = frames.take()
        if (!frame) break
        this.#full = !this.send(frame)
      }
      if (frames.ended) this.#end()
    } catch (error) {
      this.#end(error)
    }
  }

  #end(failure?: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#frames.close()
    this.end(failure)
  }
}
