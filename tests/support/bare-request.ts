// A request with whatever headers a test wants, Host and Origin too, from an address of this machine that it chooses.
import { type IncomingHttpHeaders, request } from 'node:http'

export interface BareAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface Bare {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Such as 127.0.0.2. */
  from?: string
}

export function bare(
  url: string,
  { method = 'GET', headers = {}, body, from }: Bare = {},
): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false, localAddress: from }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (some: string) => {
        text += some
      })
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}
