// Who may run: one turn at a time in a context, so many in all and of one caller, first come first served.

export type Turns = ReturnType<typeof createTurns>

export interface Turn {
  /** Gives the turn back, so that the context's next task runs. Safe to repeat. */
  end(): void
}

/** Of `most` turns one caller has nine in ten at most: its tasks may take long, and must not keep every other caller's from beginning. */
export function createTurns(most: number) {
  const mostOfOne = most - Math.floor(most / 10)
  let running = 0
  const busy = new Set<string>()
  const ofOwner = new Map<string, number>()
  const queue: { owner: string; context: string; grant(turn: Turn): void }[] = []

  /** Resolves when it is the turn of `owner` in the context, or without a turn when `signal` aborts before. Contexts of two owners are two. */
  function take(owner: string, contextId: string, signal: AbortSignal): Promise<Turn | undefined> {
    const context = `${owner}\n${contextId}`
    if (signal.aborted) return Promise.resolve(undefined)
    if (queue.length === 0 && isFree(owner, context)) return Promise.resolve(begin(owner, context))
    return new Promise((resolve) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1)
        resolve(undefined)
      }
      const waiting = {
        owner,
        context,
        grant(turn: Turn) {
          signal.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      signal.addEventListener('abort', leave)
      queue.push(waiting)
      next() // one caller's may be held up while another's is not
    })
  }

  const isFree = (owner: string, context: string): boolean =>
    running < most && !busy.has(context) && (ofOwner.get(owner) ?? 0) < mostOfOne

  function begin(owner: string, context: string): Turn {
    running += 1
    busy.add(context)
    ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + 1)
    let ended = false
    return {
      end() {
        if (ended) return
        ended = true
        running -= 1
        busy.delete(context)
        const left = ofOwner.get(owner)! - 1
        if (left === 0) ofOwner.delete(owner)
        else ofOwner.set(owner, left)
        next()
      },
    }
  }

  function next(): void {
    for (let index = 0; index < queue.length && running < most; ) {
      const { owner, context, grant } = queue[index]!
      if (isFree(owner, context)) {
        queue.splice(index, 1)
        grant(begin(owner, context))
      } else {
        index += 1
      }
    }
  }

  return { take, counts: () => ({ running, queued: queue.length }) }
}
