// Reads what an operator sends with a decision: a reason, and the digest of what they saw.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { A2AError, invalid } from '../../protocol/index.ts'

export interface Said {
  reason?: string
  digest?: string
}

const longestReason = 2000

/** Forms are read here alone: everywhere else a page of another site could send one. */
export function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      done(null, body)
    },
  )
}

/**
 * What the body says, and the digest of the link that was followed.
 * @throws A2AError where the two name different ones, or the address says anything else: a digest under a mistaken name must not count as none
 */
export function readDecision(request: FastifyRequest): Said {
  const [other] = Object.keys(request.query as object).filter((name) => name !== 'digest')
  if (other !== undefined)
    throw invalid(other.slice(0, 60), 'is not known here: the address of a decision may have a digest')
  const said = readBody(request)
  const linked = readDigest(request)
  if (linked === undefined) return said
  if (said.digest !== undefined && said.digest !== linked) {
    throw invalid('digest', 'is another one in the body than in the address')
  }
  return { ...said, digest: linked }
}

/** The digest in the address. @throws A2AError where there are several */
export const readDigest = ({ query }: FastifyRequest): string | undefined =>
  optionalText((query as Record<string, unknown>).digest, 'digest')

/**
 * `reason` and `digest`, from JSON, a form, or nothing at all.
 * @throws A2AError for anything else, another field too: a digest that cannot be read must not count as none
 */
function readBody({ body, headers }: FastifyRequest): Said {
  if (typeof body !== 'string' || body === '') return {}
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded')
  const given: unknown = isForm ? readForm(body) : parseJson(body)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid('body', 'must be an object')
  const { reason, digest, ...others } = given as Record<string, unknown>
  // A push notification is a POST too, to an address that a client chose: it must not count as a decision.
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw invalid(other.slice(0, 60), 'is not known here: a decision has reason and digest')
  // Null is what a program sends that has lost the digest which it read.
  if (digest === null) throw invalid('digest', 'must be text, or be left out')
  const text = optionalText(reason, 'reason')?.trim()
  const seen = optionalText(digest, 'digest')
  return { ...(text && { reason: text }), ...(seen !== undefined && { digest: seen }) }
}

/** @throws A2AError where a field is there twice: which of the two was meant? */
function readForm(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)]
  const names = fields.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(twice.slice(0, 60), 'is there twice')
  return Object.fromEntries(fields)
}

function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !value.isWellFormed()) throw invalid(field, 'must be text')
  if (value.length > longestReason) throw invalid(field, `must have at most ${longestReason} characters`)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new A2AError('ParseError', 'The body is not JSON. It may be left out, or be {"reason": "..."}.')
  }
}
