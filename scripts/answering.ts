// Whether an agent answers, waited for and told where it takes long.
import { setTimeout as pause } from 'node:timers/promises'

/** The name of the agent that answers at `url`, or undefined if none does. */
export const agentAt = async (url: string): Promise<string | undefined> => (await lookAt(url)).agent

interface Waiting {
  name: string
  url: string
  /** Resolves when the agent's process has ended, with how. */
  ended: Promise<number | NodeJS.Signals>
  /** After how long it is said why there is no answer yet, in ms. */
  patience?: number
  /** Told that, in a line, and again whenever the reason is another one. */
  say?: (line: string) => void
}

/**
 * Resolves when the agent answers.
 * @throws Error when its process ends before that
 */
export async function whenHealthy({
  name,
  url,
  ended,
  patience = 5000,
  say = console.error,
}: Waiting): Promise<void> {
  let end: number | NodeJS.Signals | undefined
  void ended.then((how) => {
    end = how
  })
  const late = Date.now() + patience
  for (let said: string | undefined; ; await pause(50)) {
    const { agent, why = `${agent} answers there.` } = await lookAt(url)
    if (agent === name) return
    if (end !== undefined) throw new Error(`${name} ended with ${end} before it answered at ${url}.`)
    if (why === said || Date.now() < late) continue
    said = why
    say(`${name} does not answer at ${url} yet: ${why}`)
  }
}

/** The agent that answers at `url`, or in a sentence why none does. */
async function lookAt(url: string): Promise<{ agent?: string; why?: string }> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })
    const { agent } = (await response.json()) as { agent?: string }
    return agent === undefined ? { why: 'what answers there is no agent.' } : { agent }
  } catch (error) {
    return { why: reasonOf(error as Error) }
  }
}

/** OpenSSL's codes of a certificate that nobody who is trusted has signed. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'nothing came within 2 s.'
  if (error instanceof SyntaxError) return 'what answers there is no agent.'
  const { code = '', message } = (error.cause ?? error) as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing listens there.'
  if (!untrusted.test(code)) return `${message || code}.`
  return `${message.replace(/;.*/s, '')}. NODE_EXTRA_CA_CERTS must name the file of the certificate that signed it, which may be itself.`
}
