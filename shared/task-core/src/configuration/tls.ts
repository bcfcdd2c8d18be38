// The certificate with which an agent speaks TLS, and its key.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { Tls } from '../tls.ts'
import type { Part } from './part.ts'
import { readKeyFile } from './values.ts'

export interface Encryption {
  /** Undefined for plain HTTP and plain gRPC. */
  tls: Tls | undefined
}

export const encryption: Part<Encryption> = {
  properties: {
    TLS_CERT_FILE: { type: 'string', minLength: 1 },
    TLS_KEY_FILE: { type: 'string', minLength: 1 },
  },
  read: ({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }) => ({ tls: readTls(certFile, keyFile) }),
}

/** @throws Error that names the variable at fault */
function readTls(certFile: string | undefined, keyFile: string | undefined): Tls | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    const [set, missing] = certFile ? ['TLS_CERT_FILE', 'TLS_KEY_FILE'] : ['TLS_KEY_FILE', 'TLS_CERT_FILE']
    throw new Error(`${set} is set and ${missing} is not: TLS needs both.`)
  }
  const tls = {
    cert: readKeyFile('TLS_CERT_FILE', certFile).toString(),
    key: readKeyFile('TLS_KEY_FILE', keyFile).toString(),
  }
  if (readCertificate(tls.cert).checkPrivateKey(readKey(tls.key))) return tls
  throw new Error('The key in TLS_KEY_FILE is not that of the first certificate in TLS_CERT_FILE.')
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new Error(
      'TLS_CERT_FILE must hold the certificate of the agent in PEM, and those of its issuers after it.',
    )
  }
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch {
    throw new Error('TLS_KEY_FILE must hold a private key in PEM, without a passphrase.')
  }
}
