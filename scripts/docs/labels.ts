// What a figure says of a request, an answer or a frame: the operation, the state, and what was said, shortened.
import type { Json } from '@a2a-kit/task-core'
import type { Body, Exchange } from '../../capture/model.ts'
import { isObject } from './path.ts'

export interface Label {
  label: string
  detail?: string[]
}

const longest = 90

/** Ids by their first 8 characters, and of a text its first line, as far as words fit. */
export function shortened(text: string): string {
  const ids = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
  const [line = '', ...more] = text.replace(ids, '$1').trim().split('\n')
  if (line.length > longest) return `${line.slice(0, line.lastIndexOf(' ', longest))} …`
  return more.length > 0 ? `${line} …` : line
}

/** The message in what is sent, over JSON-RPC or HTTP+JSON. */
export function messageIn(body: Body): Record<string, Json> | undefined {
  const params = isObject(body) && isObject(body.params) ? body.params : body
  return isObject(params) && isObject(params.message) ? params.message : undefined
}

export function requestLabel(exchange: Exchange): Label {
  const { title, to, request } = exchange
  if (to === 'webhook') {
    const { label, detail = [] } = resultLabel(exchange, request.body)
    return { label: `${title}: ${label}`, detail }
  }
  const message = messageIn(request.body)
  const params = isObject(request.body) && isObject(request.body.params) ? request.body.params : {}
  const said = message && textOf(message)
  const context = message?.contextId ? `, context ${message.contextId}` : ''
  const task = message?.taskId ?? params.taskId ?? params.id
  return {
    label: shortened(said ? `${title}: ${said}` : title),
    ...(task !== undefined && { detail: [shortened(`task ${task}${context}`)] }),
  }
}

/** Of an answer, or of the data of a frame. */
export function resultLabel({ answer: { status, reason } }: Exchange, body: Body): Label {
  const plain = { label: `${status} ${reason}`.trimEnd() }
  if (!isObject(body)) return plain
  if (isObject(body.error)) return labelled(`error ${body.error.code}`, [body.error.message])
  const result = isObject(body.result) ? body.result : body
  if (isObject(result.statusUpdate)) return labelled('statusUpdate', statusLines(result.statusUpdate))
  if (isObject(result.artifactUpdate))
    return { label: `artifactUpdate: ${nameOf(result.artifactUpdate.artifact)}` }
  if (isObject(result.message)) return { label: shortened(`message: ${textOf(result.message)}`) }
  const task = isObject(result.task) ? result.task : result
  if (isObject(task.status)) {
    const artifacts = Array.isArray(task.artifacts) ? task.artifacts.map(nameOf) : []
    return labelled(`task ${task.id}, context ${task.contextId}`, [...statusLines(task), ...artifacts])
  }
  if (Array.isArray(result.tasks)) return { label: `${result.tasks.length} of ${result.totalSize} tasks` }
  if (Array.isArray(result.supportedInterfaces)) return { label: `the card of ${result.name}` }
  return typeof result.outcome === 'string' ? { label: `${status}: ${result.outcome}` } : plain
}

const labelled = (label: string, detail: (Json | undefined)[]): Label => ({
  label: shortened(label),
  detail: detail.flatMap((line) => (typeof line === 'string' ? [shortened(line)] : [])),
})

const nameOf = (artifact: Json | undefined): string =>
  isObject(artifact) ? String(artifact.name ?? artifact.artifactId) : ''

function statusLines({ status }: Record<string, Json>): (Json | undefined)[] {
  if (!isObject(status)) return []
  return [status.state, isObject(status.message) ? textOf(status.message) : undefined]
}

/** The text of a message; of data, the names in it. */
function textOf({ parts }: Record<string, Json>): string | undefined {
  if (!Array.isArray(parts)) return undefined
  const said = parts.filter(isObject).flatMap(({ text, data }) => {
    if (typeof text === 'string') return [text]
    return isObject(data) ? [`data with ${Object.keys(data).join(', ')}`] : []
  })
  return said[0]
}
