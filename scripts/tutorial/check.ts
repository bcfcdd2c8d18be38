// Plays captures without a reader and fails at the first difference, with its place in the capture.
import type { AgentName } from '../../capture/kit.ts'
import type { Exchange } from '../../capture/model.ts'
import { faultIn, type Path } from './compare.ts'
import type { PartFinding } from './judge.ts'
import { load } from './library.ts'
import { placeOf, type Source } from './places.ts'
import { play, Unanswered } from './play.ts'
import { type Sitting, sitDown } from './sitting.ts'
import type { Go, Viewer } from './viewer.ts'

/** The first thing that is not as it was recorded. */
export class Difference extends Error {
  override readonly name = 'Difference'
  constructor(source: Source, exchange: Exchange, { part, path, recorded, live }: PartFinding) {
    const place = placeOf(source, exchange, part)
    super(`${place}: exchange ${exchange.n}, ${exchange.title}: ${nameOf(path)} is not as recorded.
  recorded  ${shown(recorded)}
  came      ${shown(live)}`)
  }
}

export interface CheckOptions {
  folder: string
  env: NodeJS.ProcessEnv
  /** Start agents even if some run. */
  own?: boolean
  say(line: string): void
  /** Aborts when the check is to stop; what was started is stopped first. */
  signal?: AbortSignal
  patience?: number
}

/**
 * @throws Difference at the first one
 * @throws Error where there is no answer
 * @throws FormatError if a file is not what captures are
 */
export async function check(
  names: string[],
  { folder, env, own, say, ...options }: CheckOptions,
): Promise<void> {
  for (const name of names) {
    const source = load(name, folder)
    const sitting = await sitDown(source.capture, { env, own, signal: options.signal })
    try {
      const playing = play({ ...sitting, ...options, viewer: viewerOf(source, sitting.restart) })
      if ((await playing.catch(located(source))) !== 'played') return
      say(`ok  ${name}, ${source.capture.exchanges.length} exchanges. ${sitting.where}`)
    } finally {
      await sitting.close(false)
    }
  }
}

/** For `catch`: says where the request stands that got no answer. */
const located =
  (source: Source) =>
  (error: Error): never => {
    if (!(error instanceof Unanswered)) throw error
    throw new Error(`${placeOf(source, error.exchange, { in: 'requestLine' })}: ${error.message}`)
  }

function viewerOf(source: Source, restart: Sitting['restart']): Viewer {
  const see = (exchange: Exchange, findings: PartFinding[]) => {
    const fault = faultIn(findings)
    if (fault) throw new Difference(source, exchange, fault)
  }
  return {
    async request(exchange): Promise<Go> {
      const agent = exchange.restarted as AgentName | undefined
      if (agent) await restart?.(agent)
      return 'send'
    },
    answer: (exchange, _, findings) => see(exchange, findings),
    frame: (exchange, _index, _live, findings) => see(exchange, findings),
    delivery(exchange, _, findings) {
      see(exchange, findings)
      return 'send'
    },
    ended: see,
    overheard: () => 'send',
  }
}

const nameOf = (path: Path): string =>
  path.length > 0
    ? path
        .map((part) => (typeof part === 'number' ? `[${part}]` : part))
        .join('.')
        .replaceAll('.[', '[')
    : 'this'

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
