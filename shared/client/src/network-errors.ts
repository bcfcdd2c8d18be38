// What the network's errors mean for a caller: which host, what happened, what to do.
import { A2AError } from '@a2a-kit/task-core/protocol'
import { ConnectionError } from './errors.ts'

const advice: { [code: string]: string } = {
  ECONNREFUSED: 'nothing listens there; start the agent, or check the address',
  ENOTFOUND: 'there is no such host; check the address',
  EAI_AGAIN: 'the name cannot be resolved now; check the address and the network',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections; check the address and the network',
  UND_ERR_SOCKET: 'it dropped the connection',
  ECONNRESET: 'it dropped the connection',
  EPIPE: 'it dropped the connection',
}

/** True for an error of the network; anything else, such as a header that cannot be written, is our own fault. */
const isNetwork = (error: unknown): error is Error & { code?: string } =>
  error instanceof Error && 'code' in error && error.code !== 'UND_ERR_INVALID_ARG'

/** What `code` means, or `message` where that is not known. */
export const said = ({ code, message }: { code?: string | undefined; message: string }): string =>
  code ? `${advice[code] ?? message} (${code})` : message

/** The error for a request to which no reply began; what is not of the network is given back as it is. */
export function unanswered(error: unknown, host: string): unknown {
  if (!isNetwork(error)) return error
  if (error.name !== 'HTTPParserError') {
    return new ConnectionError(`No answer from ${host}: ${said(error)}.`, { cause: error })
  }
  const message = `What ${host} answered is not HTTP; check the address.`
  return Object.assign(new A2AError('InvalidAgentResponseError', message), { cause: error })
}

/** The error for a reply that broke off. */
export const lost = (error: unknown, host: string): unknown =>
  isNetwork(error)
    ? new ConnectionError(`The reply of ${host} broke off: ${said(error)}.`, { cause: error })
    : error
