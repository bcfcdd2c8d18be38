// Where an interface of the card with the binding GRPC is: `host:port`, or a URL (§8.3.1 leaves it open).

export interface GrpcAddress {
  /** `host:port`. */
  target: string
  /** Whether to speak TLS. */
  secure: boolean
}

const form = /^(?:(https?|grpcs):\/\/)?((?:[\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?)(?:\/.*)?$/i

/** Plaintext only for `host:port` and `http://`. Undefined for what is no such address. A path is passed over: gRPC has its own. */
export function grpcAddress(url: string): GrpcAddress | undefined {
  const [, scheme, host, port] = form.exec(url) ?? []
  if (host === undefined || (scheme === undefined && port === undefined)) return undefined
  const secure = scheme !== undefined && scheme.toLowerCase() !== 'http'
  return { target: port === undefined ? `${host}:${secure ? 443 : 80}` : host, secure }
}
