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

  /** Resolves when it is the caller's turn in the context. */
  function take(context: string): Promise<Turn> {
    return new Promise((grant) => {
      queue.push({ context, grant })
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

  return { take }
}
