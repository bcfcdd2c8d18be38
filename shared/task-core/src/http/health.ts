// Whether the process lives (`/health`), and whether it can take work (`/ready`).
import type { FastifyInstance } from 'fastify'

export interface Readiness {
  /** What is missing, in words for an operator; nothing if work can be taken. */
  missing(): Promise<string[]>
}

export interface ReadinessOptions {
  /** Writes something, really. Rejects if the store takes nothing. */
  write: () => Promise<void>
  /** Told why it took nothing. */
  failed?: (error: unknown) => void
  /** Milliseconds since any fixed point. */
  clock?: () => number
}

/** How long it counts that the store could write, or could not, in ms. */
const fresh = 1000

/** Ready from `opened` to `closing`, as long as the store can write. */
export function createReadiness({
  write,
  failed = () => {},
  clock = () => performance.now(),
}: ReadinessOptions) {
  let state: 'starting' | 'open' | 'closing' = 'starting'
  let checkedAt = Number.NEGATIVE_INFINITY
  let writes: Promise<boolean> = Promise.resolve(false)

  function canWrite(): Promise<boolean> {
    if (clock() - checkedAt >= fresh) {
      checkedAt = clock()
      writes = write().then(
        () => true,
        (error) => {
          failed(error)
          return false
        },
      )
    }
    return writes
  }

  return {
    opened(): void {
      state = 'open'
    },
    closing(): void {
      state = 'closing'
    },
    async missing(): Promise<string[]> {
      // A store that is being closed would never answer.
      if (state === 'closing') return ['The agent stops.']
      const starts = state === 'starting' ? ['The agent starts: its tasks are not taken up yet.'] : []
      const full = (await canWrite())
        ? []
        : ['The store cannot write: the log and the free space on its disk say why.']
      return [...starts, ...full]
    },
  }
}

export function healthRoutes(app: FastifyInstance, agent: string, readiness: Readiness): void {
  app.get('/health', async () => ({ status: 'ok', agent }))
  app.get('/ready', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const missing = await readiness.missing()
    if (missing.length === 0) return { status: 'ready', agent }
    return reply.code(503).header('retry-after', '1').send({ status: 'not ready', agent, missing })
  })
}
