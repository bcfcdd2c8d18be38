// Who may run: one turn at a time in a context, so many in all, first come first served.

export type Turns = ReturnType<typeof createTurns>

export interface Turn {
  /** Gives the turn back, so that the context's next task runs. Safe to repeat. */
  end(): void
}

export function createTurns(most: number) {
  let running = 0
  const busy = new Set<string>()
  const queue: { context: string; grant(turn: Turn): void }[] = []

  /** Resolves when it is the caller's turn in the context, or without a turn when `signal` aborts before. */
  function take(context: string, signal: AbortSignal): Promise<Turn | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        resolve(undefined)
      }
      const waiting = {
        context,
        grant(turn: Turn) {
          signal.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      signal.addEventListener('abort', leave)
      queue.push(waiting)
      next()
    })
  }

  function next(): void {
    for (let index = 0; index < queue.length && running < most; ) {
      const { context, grant } = queue[index]!
      if (busy.has(context)) {
        index += 1
        continue
      }
      queue.splice(index, 1)
      running += 1
      busy.add(context)
      let ended = false
      const end = () => {
        if (ended) return
        ended = true
        running -= 1
        busy.delete(context)
        next()
      }
      grant({ end })
    }
  }

  return { take, counts: () => ({ running, queued: queue.length }) }
}
