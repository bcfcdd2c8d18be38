// What a part of the benchmark is given.
import type { Peer, PeerOptions } from '../peer.ts'

export interface PartOptions extends PeerOptions {
  /** The kit's server. All parts measure the same one, so a later part finds what an earlier one stored. */
  kit: Peer
  /** Length of a run under load. */
  seconds: number
  rounds: number
  /** Takes lines of progress. */
  say: (line: string) => void
}
