// From an exchange as it went over the wire to the one that is written: with variables, and without secrets and what says nothing.
import type { Json } from '@a2a-kit/task-core'
import { endsStream, type StreamResponse } from '@a2a-kit/task-core/protocol'
import type { Heard } from './actor.ts'
import { unwrittenHeaders } from './headers.ts'
import { type AgentName, baseOf } from './kit.ts'
import type { Answer, Body, Exchange, Frame, Header, Request } from './model.ts'
import type { RawExchange } from './recorder.ts'
import type { Secrets } from './secrets.ts'
import { type Webhook, webhookBase } from './webhook.ts'

export interface Written {
  /** What the file sets: the addresses. */
  variables: Record<string, string>
  /**
   * `note` is what the reader is told of it. Times are not set.
   * @throws Error where nothing is told of it, or it has no answer
   */
  exchange(raw: RawExchange, note: Heard | undefined): Exchange
}

/** For the exchanges of one capture; `names` are those of its agents. */
export function createWritten(
  all: readonly RawExchange[],
  { names, webhooks, secrets }: { names: AgentName[]; webhooks: Webhook[]; secrets: Secrets },
): Written {
  const variables = {
    ...Object.fromEntries(names.map((agent) => [variableOf(agent), baseOf(agent)])),
    ...(webhooks.length > 0 && { webhook: webhookBase }),
  }
  return { variables, exchange: written }

  /** `base` where there is one agent, else the agent's name. */
  function variableOf(agent: AgentName): string {
    return names.length === 1 ? 'base' : agent.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  }

  function written(raw: RawExchange, note: Heard | undefined): Exchange {
    const { n, from, method, url, sightings, endedAt } = raw
    if (!note) throw new Error(`Nothing is told of exchange ${n}, ${method} ${url} by ${from}.`)
    if (raw.status === 0) throw new Error(`Exchange ${n}, ${method} ${url} by ${from}, has no answer.`)
    const { origin, pathname, search } = new URL(url)
    const agent = names.find((one) => baseOf(one) === origin)
    const request: Request = {
      method,
      url: `{{${agent ? variableOf(agent) : 'webhook'}}}${pathname}${search}`,
      headers: headersOf(raw.requestHeaders),
    }
    const requestBody = bodyOf(raw.requestBody, '{{webhook}}')
    if (requestBody !== undefined) request.body = requestBody
    const answer: Answer = { status: raw.status, reason: raw.reason, headers: headersOf(raw.headers), ms: 0 }
    const answerBody = bodyOf(raw.body, webhookBase)
    if (raw.frames) {
      answer.frames = raw.frames.map(({ id, data }) => ({
        atMs: 0,
        ...(id !== undefined && { id }),
        data: bodyOf(data, webhookBase) as Json,
      }))
      if (raw.cut && !endsWithTheEnd(answer.frames)) answer.cut = true
    } else if (answerBody !== undefined) answer.body = answerBody
    if (!raw.frames && endedAt !== undefined && endedAt > n) answer.endedAfter = endedAt
    const after = [...sightings]
      .map(([exchange, frames]) => ({ exchange, frames }))
      .filter(({ exchange, frames }) => frames < all[exchange - 1]!.frames!.length)
    return {
      n,
      title: titleOf(request),
      from,
      to: agent ?? 'webhook',
      after,
      tell: note.tell,
      request,
      answer,
      notice: note.notice ?? '',
    }
  }

  function headersOf(headers: Header[]): Header[] {
    return headers
      .filter(([key]) => !unwrittenHeaders.has(key.toLowerCase()))
      .map(([key, value]) => [key, secrets.hidden(value)])
  }

  function bodyOf(text: string, webhook: string): Body {
    if (text === '') return undefined
    let own = secrets.hidden(text)
    for (const { url } of webhooks) own = own.replaceAll(url, webhook)
    return /^\s*[[{]/.test(own) ? (JSON.parse(own) as Json) : own
  }
}

/** Whether nothing was to come any more: a client may leave then, and whether it or the agent is first is chance. */
function endsWithTheEnd(frames: Frame[]): boolean {
  const data = frames.at(-1)?.data as ({ result?: StreamResponse } & StreamResponse) | undefined
  const { task, statusUpdate } = data?.result ?? data ?? {}
  const status = (statusUpdate ?? task)?.status
  return status !== undefined && endsStream(status.state)
}

/** The operation, or the method and the path. */
function titleOf({ method, url, body }: Request): string {
  const called =
    typeof body === 'object' && body !== null && !Array.isArray(body) && 'jsonrpc' in body && body.method
  if (called) return String(called)
  const path = url.replace(/^\{\{\w+\}\}/, '').replace(/\?.*/, '')
  return `${method} ${path.replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, '$1')}`
}
