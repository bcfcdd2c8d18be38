// What the tester and an agent's process say to each other.

/** What is done to a process from inside. */
export type Order =
  /** Its clock is this many ms ahead of the machine's from now on, or behind. */
  | { do: 'clock'; offset: number }
  /** From the `from`-th commit on, `count` commits fail as on a full disk. */
  | { do: 'fail commits'; from: number; count: number }
  /** The same for the writes of a status. */
  | { do: 'fail writes'; from: number; count: number }
  /** It dies by SIGKILL at the `nth` moment of this name. */
  | { do: 'die'; moment: string; nth: number }
  /** Whatever was ordered before is over. */
  | { do: 'heal' }
  | { do: 'tell' }

/** What a process holds. */
export interface Held {
  /** Open files and sockets. */
  files: number
  /** Timers, sockets and the like that keep it alive, by kind. */
  resources: Record<string, number>
  /** Listeners on the process. */
  listeners: number
  /** Bytes in use, once the garbage is gone. */
  bytes: number
  /** What Node.js warned of, such as a leak of listeners. */
  warnings: string[]
}
