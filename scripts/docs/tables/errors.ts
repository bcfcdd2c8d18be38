// The errors of the protocol and of its bindings: when each comes, how each binding says it, and the captures that show it.
import { type ErrorName, errorTable } from '@a2a-kit/task-core/protocol'
import type { Capture } from '../../../capture/model.ts'
import { captureFolder } from '../library.ts'
import { link, table } from '../markdown.ts'

const when: Record<ErrorName, string> = {
  TaskNotFoundError: 'the task is not there, or not for this caller',
  TaskNotCancelableError: 'a cancel of a task that has ended',
  PushNotificationNotSupportedError: 'the agent sends no push notifications',
  UnsupportedOperationError: 'the operation is not for a task in this state, or not for this agent',
  ContentTypeNotSupportedError: 'a part of a media type that the agent does not take',
  InvalidAgentResponseError: 'the client raises it: what another agent answered is not of the protocol',
  ExtendedAgentCardNotConfiguredError: 'the card promises an extended card, and the agent has none',
  ExtensionSupportRequiredError: 'the agent wants an extension that the client did not name',
  VersionNotSupportedError: 'the version is not served, or not named',
  ParseError: 'the body is no JSON',
  InvalidRequestError: 'the body is JSON, and no request',
  MethodNotFoundError: 'there is no such method or path',
  InvalidParamsError: 'a field is missing or wrong; BadRequest names it',
  InternalError: 'the agent is at fault; its log has more',
  MethodNotAllowedError: 'the path is there, for another HTTP method',
  WrongHostError: 'the request came under a host name that is not the agent’s',
  PayloadTooLargeError: 'the body is larger than `MAX_BODY_BYTES`',
  UnsupportedMediaTypeError: 'the Content-Type of the request is no JSON',
  UnauthenticatedError: 'no token, or one that does not hold',
  TooManyRequestsError: 'the caller is over one of its limits',
  UnavailableError: 'the agent is stopping, or cannot store or check a token now',
}

/** All errors, in the order of the kit's own table. */
export function errorsTable(captures: Capture[], page: string): string[] {
  const rows = (Object.keys(errorTable) as ErrorName[]).map((name) => {
    const { code, http, grpc, reason } = errorTable[name]
    const links = captures
      .filter((capture) => reasonsIn(capture).has(reason))
      .map((capture) => link(page, `${captureFolder}/${capture.name}.http`, capture.name.slice(0, 2)))
    return [
      `\`${name}\``,
      `\`${reason}\``,
      when[name],
      String(code),
      String(http),
      `\`${grpc}\``,
      links.join(', '),
    ]
  })
  return table(['error', 'reason', 'when', 'JSON-RPC', 'HTTP', 'gRPC', 'captures'], rows)
}

/** The reasons of ErrorInfo in the answers. */
function reasonsIn({ exchanges }: Capture): Set<string> {
  const text = exchanges.map(({ answer }) => JSON.stringify(answer.body ?? null)).join()
  return new Set([...text.matchAll(/google\.rpc\.ErrorInfo","reason":"(\w+)"/g)].map(([, reason]) => reason!))
}
