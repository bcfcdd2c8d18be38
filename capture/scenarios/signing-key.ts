// The key that signs cards in captures. It is no secret: whoever has this file can make it.
import { createHash, createPrivateKey } from 'node:crypto'

/** An Ed25519 private key in PKCS #8, up to its 32 bytes (RFC 8410). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** As PEM. Ed25519 signs the same text with the same signature each time, which ECDSA does not. */
export const signingKey = createPrivateKey({
  key: Buffer.concat([head, createHash('sha256').update('a2a-kit captures').digest()]),
  format: 'der',
  type: 'pkcs8',
}).export({ type: 'pkcs8', format: 'pem' }) as string
