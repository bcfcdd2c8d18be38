import { errorTable, type TaskState, taskStates } from '@a2a-kit/task-core/protocol'
import { describe, expect, test } from 'vitest'
import type { Capture, Exchange } from '../../../capture/model.ts'
import { clockStart, clockStep } from '../../../capture/world.ts'
import { root } from '../../kit.ts'
import { captureNamed, readCaptures } from '../library.ts'
import { errorsTable } from './errors.ts'
import { statesTable } from './states.ts'
import { streamEnds, streamsTable } from './streams.ts'
import { transitionsIn, transitionsTable } from './transitions.ts'

const captures = readCaptures(root)

/** A capture in which one task is seen in these states, each at so many steps of the clock, by a push notification. */
function captureOf(...statuses: [state: string, steps: number][]): Capture {
  const exchanges = statuses.map(([state, steps], at): Exchange => {
    const status = { state, timestamp: new Date(clockStart + steps * clockStep).toISOString() }
    const request = {
      method: 'POST',
      url: '{{webhook}}/',
      headers: [],
      body: { statusUpdate: { taskId: 't', status } },
    }
    const answer = { status: 204, reason: '', headers: [], ms: 0 }
    const names = { title: 'POST /', from: 'conformance', to: 'webhook', tell: '', notice: '' }
    return { n: at + 1, ...names, after: [], request, answer }
  })
  return { name: '99-made-up', title: '', about: '', variables: {}, secrets: [], exchanges }
}

const steps = (capture: Capture) =>
  transitionsIn([capture]).map(({ from, to }) =>
    [from, to].map((state) => state?.replace('TASK_STATE_', '') ?? '(new)').join(' → '),
  )

describe('the table of transitions', () => {
  test('follows the task of 07 from its beginning to its end', () => {
    expect(steps(captureNamed(captures, '07'))).toEqual([
      '(new) → SUBMITTED',
      'SUBMITTED → WORKING',
      'WORKING → AUTH_REQUIRED',
      'AUTH_REQUIRED → WORKING',
      'WORKING → COMPLETED',
    ])
  })

  test('says nothing of two states between which another may have been', () => {
    expect(steps(captureNamed(captures, '06'))).toEqual([])
    expect(steps(captureOf(['TASK_STATE_SUBMITTED', 1], ['TASK_STATE_COMPLETED', 3]))).toEqual([
      '(new) → SUBMITTED',
    ])
  })

  test('takes for neighbours what a stream has one after the other, whatever else moved the clock', () => {
    const capture = structuredClone(captureOf(['TASK_STATE_WORKING', 1], ['TASK_STATE_CANCELED', 4]))
    const [first, second] = capture.exchanges
    first!.answer.frames = [first!, second!].map(({ request }) => ({ atMs: 0, data: request.body! }))
    expect(steps({ ...capture, exchanges: [first!] })).toEqual(['WORKING → CANCELED'])
  })

  test('counts what comes twice once, and reads push notifications', () => {
    const twice = captureOf(['TASK_STATE_WORKING', 1], ['TASK_STATE_WORKING', 1], ['TASK_STATE_WORKING', 2])
    expect(transitionsIn([twice])).toEqual([
      { from: 'TASK_STATE_WORKING', to: 'TASK_STATE_WORKING', captures: ['99-made-up'] },
    ])
  })

  test('links the captures, and names what the kit allows and no capture shows', () => {
    const lines = transitionsTable([captureNamed(captures, '07')], 'docs/page.md')
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^\| \(new\) +\| `TASK_STATE_SUBMITTED` +\| \[07\]\(\.\.\/capture\/out\/07-auth-required\.http\) \|$/,
      ),
    )
    expect(lines).toContainEqual(
      '- from `TASK_STATE_WORKING` to `TASK_STATE_WORKING`, `TASK_STATE_INPUT_REQUIRED`, `TASK_STATE_FAILED`, `TASK_STATE_CANCELED`, `TASK_STATE_REJECTED`',
    )
  })

  test('does not pass over a transition or a state that the kit does not have', () => {
    const revived = captureOf(['TASK_STATE_COMPLETED', 1], ['TASK_STATE_WORKING', 2])
    expect(() => transitionsTable([revived], 'docs/page.md')).toThrow(
      "99-made-up shows TASK_STATE_COMPLETED → TASK_STATE_WORKING, which the kit's table does not have.",
    )
    expect(() => transitionsIn([captureOf(['TASK_STATE_PAUSED', 1])])).toThrow('TASK_STATE_PAUSED')
  })
})

test('the table of states has each of the nine in its class', () => {
  const rows = statesTable()
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(rows.map(([, state]) => state).sort()).toEqual([...taskStates].sort())
  const classes = Map.groupBy(rows, ([, , kind]) => kind!)
  const of = (kind: string) => classes.get(kind)?.map(([, state]) => state as TaskState)
  expect(of('interrupted')).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'])
  expect(of('active')).toEqual(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'])
  expect(of('terminal')).toHaveLength(4)
})

test('the table of errors has each of the kit, and links the captures that have its reason', () => {
  const capture = structuredClone(captureNamed(captures, '06'))
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }
  capture.exchanges[0]!.answer.body = { error: { code: -32001, data: [info] } }
  const rows = errorsTable([capture], 'docs/page.md').slice(2)
  expect(rows).toHaveLength(Object.keys(errorTable).length)
  const linked = rows.filter((row) => row.includes('[06](../capture/out/06-input-required.http)'))
  expect(linked).toEqual([
    expect.stringMatching(/^\| `TaskNotFoundError` +\| `TASK_NOT_FOUND` .* -32001 .* 404 .* `NOT_FOUND`/),
  ])
})

describe('the table of streams', () => {
  test('says of each with which state it ended, and who ended it', () => {
    const [stream] = streamEnds([captureNamed(captures, '07')])
    expect(stream).toMatchObject({
      capture: '07-auth-required',
      state: 'TASK_STATE_COMPLETED',
      endedBy: 'agent',
    })
    const cut = structuredClone(captureNamed(captures, '07'))
    const { answer } = cut.exchanges[0]!
    Object.assign(answer, { cut: true, frames: answer.frames!.slice(0, 3) })
    expect(streamsTable([cut], 'docs/page.md')[2]).toBe(
      '| `TASK_STATE_AUTH_REQUIRED` | the client | `SendStreamingMessage` | [07 ex01](../capture/out/07-auth-required.http) |',
    )
  })

  test('has streams that are alike in one row', () => {
    const one = captureNamed(captures, '07')
    const rows = streamsTable([one, { ...one, name: '99-made-up' }], 'docs/page.md').slice(2)
    expect(rows).toEqual([expect.stringMatching(/\[07 ex01\]\(.*\), \[99 ex01\]\(/)])
  })
})
