// The wires between the agents: a TCP proxy before each, on the port that its card names, which garbles, drips, delays, cuts and doubles.
import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export const wireFaults = [
  'garbage',
  'drip',
  'half close',
  'reset',
  'refuse',
  'delay',
  'cut',
  'double',
] as const
export type WireFault = (typeof wireFaults)[number]

export interface Wire {
  /** What happens to every connection from now on; undefined is nothing. */
  fault: WireFault | undefined
  port: number
  /** How many connections a fault has met. */
  met(): number
  /** Cuts all connections, as a client that leaves does. */
  drop(): void
  close(): Promise<void>
}

/** Opens a wire on `port` that leads to `target`. */
export async function openWire(port: number, target: number): Promise<Wire> {
  const open = new Set<Socket>()
  let met = 0

  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (wire.fault === 'refuse') {
      met += 1
      near.resetAndDestroy()
      return
    }
    const far = track(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }))
    track(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroySoon())
    near.on('data', (data) => {
      far.write(data)
      if (wire.fault === 'double') double(data)
    })
    near.on('end', () => far.end())
    let last: Promise<unknown> = Promise.resolve()
    far.on('data', (data: Buffer) => {
      // In order, also where the one before is held back.
      last = last.then(() => pass(data, near, far))
    })
    far.on('end', () => void last.then(() => near.end()))
  })

  function track(socket: Socket): Socket {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    return socket
  }

  /** The same request once more, on a connection of its own whose answer nobody reads. */
  function double(data: Buffer): void {
    met += 1
    const again = track(connect(target, '127.0.0.1'))
    again.end(data)
    again.resume()
    setTimeout(() => again.destroy(), 500).unref()
  }

  async function pass(data: Buffer, near: Socket, far: Socket): Promise<void> {
    if (near.destroyed) return
    const { fault } = wire
    if (fault !== undefined && fault !== 'double') met += 1
    switch (fault) {
      case 'garbage':
        near.end(Buffer.concat([data.subarray(0, data.length >> 1), randomBytes(data.length >> 1)]))
        far.destroy()
        return
      case 'drip':
        for (let at = 0; at < data.length && !near.destroyed; ) {
          const size = wire.fault ? 97 : data.length
          near.write(data.subarray(at, at + size))
          at += size
          await pause(2)
        }
        return
      case 'half close':
        near.end(data.subarray(0, data.length >> 1))
        return
      case 'reset':
        near.resetAndDestroy()
        far.destroy()
        return
      case 'cut':
        near.write(data.subarray(0, data.length >> 1), () => near.destroy())
        far.destroy()
        return
      case 'delay':
        await pause(120)
        near.write(data)
        return
      default:
        near.write(data)
    }
  }

  const wire: Wire = {
    fault: undefined,
    port,
    met: () => met,
    drop() {
      for (const socket of open) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        wire.drop()
      }),
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return wire
}
