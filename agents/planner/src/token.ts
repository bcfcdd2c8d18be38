// Who the planner is for its peers: a token of its own, never that of its caller.
import { readFileSync } from 'node:fs'

/**
 * The token in `PEER_TOKEN`, or what reads the one in the file `PEER_TOKEN_FILE`, anew each time, so that one that was exchanged is taken
 * up; undefined if neither is set.
 * @throws Error if both are, or the file cannot be read or is empty
 */
export function peerToken({
  PEER_TOKEN: token,
  PEER_TOKEN_FILE: file,
}: NodeJS.ProcessEnv): string | (() => string) | undefined {
  if (!file) return token || undefined
  if (token) throw new Error('PEER_TOKEN and PEER_TOKEN_FILE exclude each other: set one of them.')
  const read = () => readToken(file)
  read()
  return read
}

function readToken(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`PEER_TOKEN_FILE cannot be read: ${(error as Error).message}`)
  }
  if (/^[!-~]+$/.test(text)) return text
  throw new Error('PEER_TOKEN_FILE has no token: it holds one line that a header can carry.')
}
