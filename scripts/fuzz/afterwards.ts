// What must still be so after all the requests of a round: good ones are answered as before, and all that was taken can be read.
import { exchange } from './exchange.ts'
import type { Pool } from './pool.ts'
import { bytesOf, type Request } from './request.ts'
import { healthOf, type Target } from './trial.ts'

export interface Seated extends Target {
  pool: Pool
}

const get = (path: string, token: string): Request => ({
  method: 'GET',
  target: path,
  headers: [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['A2A-Version', '1.0'],
    ['Authorization', `Bearer ${token}`],
  ],
  body: undefined,
  framing: 'length',
})

async function read({ port }: Target, request: Request): Promise<{ status: number; body: string }> {
  return exchange(bytesOf(request), { port, patience: 60_000, halfClose: false, headOnly: false })
}

/** A task that has ended, which changes no more. */
async function endedTask(target: Seated): Promise<string> {
  const { token } = target.pool.names(0)
  const { body } = await read(target, get('/a2a/tasks?status=TASK_STATE_COMPLETED&pageSize=100', token))
  const { tasks } = JSON.parse(body) as { tasks: { id: string }[] }
  return tasks.at(-1)?.id ?? 'none'
}

export interface WellKnown {
  requests: Request[]
  answers: string[]
}

/** Good requests and their answers: the card, the health, a task that has ended. */
export async function askWellKnown(target: Seated): Promise<WellKnown> {
  const { token } = target.pool.names(0)
  const paths = [
    '/.well-known/agent-card.json',
    '/openapi.json',
    '/health',
    `/a2a/tasks/${await endedTask(target)}`,
  ]
  const requests = paths.map((path) => get(path, token))
  return { requests, answers: await answersTo(target, requests) }
}

async function answersTo(target: Seated, requests: Request[]): Promise<string[]> {
  return Promise.all(
    requests.map(async (request) => {
      const { status, body } = await read(target, request)
      return `${status} ${body}`
    }),
  )
}

/** What is wrong afterwards, and the request that shows it. */
export async function lookAfterwards(
  target: Seated,
  { requests, answers }: WellKnown,
): Promise<{ problem: string; request: Request } | undefined> {
  if ((await healthOf(target.port)).status !== 200) {
    return { problem: 'The agent is not well.', request: requests[0]! }
  }
  const now = await answersTo(target, requests)
  const other = now.findIndex((answer, index) => answer !== answers[index])
  if (other !== -1) {
    return { problem: 'A good request is answered otherwise than before.', request: requests[other]! }
  }
  return readAll(target)
}

/** Pages through all tasks: whatever was taken must be readable. */
async function readAll(target: Seated): Promise<{ problem: string; request: Request } | undefined> {
  const { token } = target.pool.names(0)
  let page = ''
  do {
    const request = get(`/a2a/tasks?pageSize=100&includeArtifacts=true&pageToken=${page}`, token)
    const { status, body } = await read(target, request)
    if (status !== 200) return { problem: `A page of the tasks is answered with ${status}.`, request }
    page = (JSON.parse(body) as { nextPageToken: string }).nextPageToken
  } while (page !== '')
  return undefined
}
