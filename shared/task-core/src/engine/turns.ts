// Who may run: one turn at a time in a context, so many in all and of one caller, first come first served.

export type Turns = ReturnType<typeof createTurns>

/** What a turn is taken of. */
interface Place {
  owner: string
  /** Of this owner: contexts of two are two. */
  context: string
}

interface Waiting extends Place {
  grant(turn: Turn): void
}

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
  const queue: Waiting[] = []

  /** Resolves when it is the turn of `owner` in the context, or without a turn when `signal` aborts before. Contexts of two owners are two. */
  function take(owner: string, contextId: string, signal: AbortSignal): Promise<Turn | undefined> {
    const context = `${owner}\n${contextId}`
    if (signal.aborted) return Promise.resolve(undefined)
    // Nobody in the queue may run: whoever can is let run when a turn ends.
    if (mayRun({ owner, context })) return Promise.resolve(begin({ owner, context }))
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
    })
  }

  const mayRun = ({ owner, context }: Place): boolean =>
    running < most && !busy.has(context) && (ofOwner.get(owner) ?? 0) < mostOfOne

  function begin({ owner, context }: Place): Turn {
    running += 1
    busy.add(context)
    ofOwner.set(owner, (ofOwner.get(owner) ?? 0) + 1)
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      running -= 1
      busy.delete(context)
      const left = ofOwner.get(owner)! - 1
      if (left === 0) ofOwner.delete(owner)
      else ofOwner.set(owner, left)
      next()
    }
    return { end }
  }

  /** A turn that ends makes room for one: in all, for its owner and in its context. So thousands that wait are not gone through each time. */
  function next(): void {
    const index = queue.findIndex(mayRun)
    const [waiting] = index < 0 ? [] : queue.splice(index, 1)
    waiting?.grant(begin(waiting))
  }

  return { take, counts: () => ({ running, queued: queue.length }) }
}
