// What an agent needs to speak TLS.

export interface Tls {
  /** The agent's certificate and those of its issuers, as PEM. */
  cert: string
  /** The private key of the certificate, as PEM. */
  key: string
}
