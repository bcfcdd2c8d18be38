// One run of a load on a server, in the figures that all loads have.

export interface Run {
  /** What was completed a second. */
  rate: number
  /** Microseconds of the server's processor time for each: hardly moved by what else the machine does. */
  cpu: number
  /** The part of the time for which the server was busy: well under 1 means that something else was the limit. */
  busy: number
}

/** `completed` in `took` seconds, in which the server used `cpu` seconds of processor time. */
export const runOf = (completed: number, took: number, cpu: number): Run => ({
  rate: completed / took,
  cpu: (cpu / completed) * 1e6,
  busy: cpu / took,
})
