// Makes a request of a template, as a plan says.
import { gzipSync } from 'node:zlib'
import type { Json } from '@a2a-kit/task-core'
import { put, remove, spotsOf, type Tree, textOf, treeOf } from './json-text.ts'
import type { InBody, InHead, InJson, Plan } from './plan.ts'
import type { Request } from './request.ts'
import type { Template } from './templates.ts'

/** What stands for `{{task}}` and the like. */
export type Names = Record<'task' | 'context' | 'config' | 'message' | 'token' | 'operator', string>

/** The request that the plan makes of the template. */
export function mutate(template: Template, plan: Plan, names: Names): Request {
  const named = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, name) => names[name as keyof Names] ?? whole)
  const request: Request = {
    method: template.method,
    target: template.target,
    headers: [['Host', 'localhost'], ['Connection', 'close'], ...template.headers],
    body: undefined,
    framing: plan.framing,
  }
  // Most captures show no token, and an agent that wants one would refuse them all alike.
  const says = request.headers.some(([name]) => name.toLowerCase() === 'authorization')
  if (!says && plan.pick % 4 > 0) request.headers.push(['Authorization', 'Bearer {{token}}'])
  if (template.body !== undefined) request.body = bodyOf(template.body, plan, named)
  if (plan.body.some((change) => change.do === 'gzip')) request.headers.push(['Content-Encoding', 'gzip'])
  for (const change of plan.head) changeHead(request, change)
  request.target = named(request.target)
  request.headers = request.headers.map(([name, value]) => [name, named(value)])
  return request
}

function bodyOf(body: Json, plan: Plan, named: (text: string) => string): Buffer {
  let text = typeof body === 'string' ? body : ''
  if (typeof body !== 'string') {
    const tree = treeOf(body)
    for (const change of plan.json) changeJson(tree, change)
    text = textOf(tree)
  }
  return plan.body.reduce<Buffer>(changeBody, Buffer.from(named(text)))
}

function changeJson(tree: Tree, change: Plan['json'][number]): void {
  if (change.do === 'call') callOther(tree, change.method)
  else if (change.do === 'replace' || change.do === 'drop' || change.do === 'wrap') changeSpot(tree, change)
  else changeMember(tree, change)
}

function changeSpot(tree: Tree, change: InJson<'replace' | 'drop' | 'wrap'>): void {
  const spots = spotsOf(tree)
  const spot = spots[change.where % spots.length]!
  if (change.do === 'replace') put(spot, { raw: change.value })
  else if (change.do === 'drop') remove(spot)
  else put(spot, { items: [structuredClone(spot.tree)] })
}

function changeMember(tree: Tree, change: InJson<'rename' | 'add' | 'repeat'>): void {
  const spots = spotsOf(tree)
  const members = spots.flatMap(({ tree: one }) =>
    'members' in one && one.members.length > 0 ? [one.members] : [],
  )
  const object = members[change.where % members.length]
  if (!object) return
  const member = object[change.where % object.length]!
  if (change.do === 'rename') member[0] = change.key
  else if (change.do === 'add') object.push([change.key, { raw: change.value }])
  else object.push([member[0], { raw: change.value }])
}

/** Calls another operation with the same parameters. */
function callOther(tree: Tree, method: string): void {
  const member = 'members' in tree ? tree.members.find(([key]) => key === 'method') : undefined
  if (member) member[1] = { raw: JSON.stringify(method) }
}

function changeBody(body: Buffer, change: InBody): Buffer {
  if (change.do === 'empty') return Buffer.alloc(0)
  if (change.do === 'gzip') return gzipSync(body)
  const at = body.length === 0 ? 0 : change.where % body.length
  if (change.do === 'cut') return body.subarray(0, at)
  if (change.do === 'insert')
    return Buffer.concat([body.subarray(0, at), Buffer.from(change.bytes), body.subarray(at)])
  const flipped = Buffer.from(body)
  if (flipped.length > 0) flipped[at]! ^= 1 << change.bit
  return flipped
}

function changeHead(request: Request, change: InHead): void {
  const { headers } = request
  if (change.do === 'method') request.method = change.value
  else if (change.do === 'append') request.target += change.value
  else if (change.do === 'absolute') request.target = change.value + request.target
  else if (change.do === 'line') headers.push(['', change.value])
  else if (change.do === 'lose') headers.splice(change.where % headers.length, 1)
  else if (change.do === 'segment') {
    const segments = request.target.split('/')
    segments[1 + (change.where % Math.max(1, segments.length - 1))] = change.value
    request.target = segments.join('/')
  } else {
    const same = headers.filter(([name]) => name.toLowerCase() !== change.name.toLowerCase())
    request.headers = [...same, [change.name, change.value]]
  }
}
