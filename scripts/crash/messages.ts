// The moments around each message that a process sends over HTTP: requests, answers, and frames of streams.
import { subscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'

interface ClientRequest {
  path: string
  body: Buffer | string | null
}

/** Calls `moment` before and after each message, and when a request's answer begins. */
export function watchMessages(moment: (name: string) => void): void {
  const on = (channel: string, name: string) =>
    subscribe(channel, (message) => {
      moment(`${name}:${operationOf((message as { request: ClientRequest }).request)}`)
    })
  on('undici:client:sendHeaders', 'request:before')
  on('undici:request:bodySent', 'request:after')
  on('undici:request:headers', 'request:answered')
  watchServer(moment)
}

/** The operation that a request calls, or the last name in its path. */
function operationOf({ path, body }: ClientRequest): string {
  const [, method] = /^\{"jsonrpc":"2\.0","id":\d+,"method":"(\w+)"/.exec(String(body ?? '')) ?? []
  return method ?? path.split('/').at(-1)!
}

function watchServer(moment: (name: string) => void): void {
  const { write, end } = ServerResponse.prototype
  // The scripts ask for an agent's health as often as they like.
  const isOurs = ({ req }: ServerResponse) => req.url !== '/health'

  ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
    const isFrame = isOurs(this) && args[0] !== heartbeat
    if (isFrame) moment('frame:before')
    const result = write.apply(this, args as Parameters<typeof write>)
    if (isFrame) process.nextTick(() => moment('frame:after')) // Node.js holds a chunk back until then
    return result
  } as typeof write

  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    if (isOurs(this)) moment('answer:before')
    const result = end.apply(this, args as Parameters<typeof end>)
    if (isOurs(this)) moment('answer:after')
    return result
  } as typeof end
}

const heartbeat = ':\n'
