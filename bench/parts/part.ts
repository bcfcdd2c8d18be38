// What a part of the benchmark is given.
import type { Cores } from '../cores.ts'
import type { Peer, PeerOptions } from '../peer.ts'
import type { PartResult } from '../report.ts'

export interface PartOptions {
  /** Starts `bench/servers/<name>.ts` for this part alone; it is stopped after the part, if not before. */
  startPeer(name: string, options?: Pick<PeerOptions, 'env' | 'flags'>): Promise<Peer>
  /** For a part that starts processes itself. */
  cores: Cores
  /** Length of a run under load. */
  seconds: number
  rounds: number
  /** Whether to be done in seconds, with small numbers: what is measured then says little, but every line of the part has run. */
  quick: boolean
  /** Takes lines of progress. */
  say: (line: string) => void
}

export type Part = (options: PartOptions) => Promise<PartResult>
