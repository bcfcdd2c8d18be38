// A measured server's side of `peer.ts`: says where it listens and what processor time it took, and ends with its parent.

/** `close` is called when the parent is gone or has heard enough. */
export function reportToParent(url: string, close: () => Promise<unknown>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpu: (user + system) / 1e6 })
  })
  process.on('SIGINT', () => {}) // Ctrl-C reaches this process too, which tidies up when its parent has ended
  process.once('disconnect', () => void close().then(() => process.exit(0)))
  process.send!({ url })
}
