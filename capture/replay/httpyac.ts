// httpyac as an editor uses it: finds the requests of a capture's file, and sends one.
import { cli, type LogLevel, send, store } from 'httpyac'

/** A request as httpyac reads it. */
export interface Found {
  name: string
  method: string
  url: string
  /** What else the comments before it set: a line of prose must set nothing. */
  settings: string[]
}

export interface HttpyacAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

export interface Sending {
  /** Resolves with the answer once it is whole, or with undefined after `cancel`. */
  done: Promise<HttpyacAnswer | undefined>
  cancel(): void
}

export interface Httpyac {
  requests: Found[]
  /** Sends a request; `variables` are those that the file does not set. */
  send(name: string, variables: Record<string, string>): Sending
}

cli.initFileProvider()
// A redirect is an answer of its own, and what goes wrong is told by an error.
const silent = 1000 as LogLevel.none
const config = { request: { followRedirect: false }, cookieJarEnabled: false, log: { level: silent } }

/** Has httpyac read `text`, which is that of `file`. */
export async function openHttpyac(file: string, text: string): Promise<Httpyac> {
  const options = { workingDir: import.meta.dirname, config }
  const httpFile = await new store.HttpFileStore().parse(file, text, options)
  const regions = httpFile.httpRegions.filter(({ request }) => request)

  return {
    requests: regions.map(({ request, metaData: { name, title: _, ...rest } }) => ({
      name: String(name),
      method: String(request?.method),
      url: String(request?.url),
      settings: Object.keys(rest),
    })),

    send(name, variables) {
      const httpRegion = regions.find(({ metaData }) => metaData.name === name)
      if (!httpRegion) throw new Error(`httpyac finds no request ${name} in ${file}.`)
      let canceled = false
      const cancels: (() => void)[] = []
      const progress = {
        isCanceled: () => canceled,
        register(cancel: () => void) {
          cancels.push(cancel)
          return () => {}
        },
      }
      const done = (async (): Promise<HttpyacAnswer | undefined> => {
        let answer: HttpyacAnswer | undefined
        await send({
          httpFile,
          httpRegion,
          variables: { ...variables },
          config,
          progress,
          async logResponse(response) {
            if (!response) return
            const { statusCode: status, headers = {}, rawBody } = response
            answer = { status, headers, text: rawBody?.toString() ?? '' }
          },
        })
        if (answer || canceled) return answer
        const { testResults = [] } = httpRegion
        throw new Error(`httpyac has no answer to ${name}. ${testResults.map(({ message }) => message)}`)
      })()
      done.catch(() => {}) // whoever awaits it hears of it
      return {
        done,
        cancel() {
          canceled = true
          for (const cancel of cancels) cancel()
        },
      }
    },
  }
}
