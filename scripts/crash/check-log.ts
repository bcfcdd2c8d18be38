// What must hold in an agent's database after a story: each log is whole, and folds to the task that the agent gave.
import { isDeepStrictEqual } from 'node:util'
import { fold, isTerminal, type Message, type StreamResponse, type Task } from '@a2a-kit/task-core/protocol'
import Database from 'better-sqlite3'
import type { Expect } from './check.ts'

export interface Row {
  task: number
  id: string
  last_event: number
  due: number | null
  wait: string | null
}

export interface Event {
  n: number
  frame: string
  history: string | null
}

/** Reads `file` after its agent was stopped; `served` are its tasks as it gave them before that, by GetTask. */
export function checkLog(file: string, served: Task[], expect: Expect): void {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const sound = db.pragma('integrity_check', { simple: true })
    expect(sound === 'ok', `the database is not sound: ${sound}`)
    const rows = db.prepare('SELECT task, id, last_event, due, wait FROM tasks').all() as Row[]
    expect(rows.length === served.length, `${rows.length} tasks are stored, and ${served.length} were listed`)
    const log = db.prepare(
      'SELECT place % 16777216 AS n, frame, history FROM events WHERE place / 16777216 = ? ORDER BY place',
    )
    for (const row of rows) {
      const task = served.find(({ id }) => id === row.id)
      checkTask(row, log.all(row.task) as Event[], task, expect)
    }
    const stray = db.prepare(
      'SELECT count(*) FROM events WHERE place / 16777216 NOT IN (SELECT task FROM tasks)',
    )
    expect(stray.pluck().get() === 0, 'there are events of no task')
  } finally {
    db.close()
  }
}

function checkTask(row: Row, events: Event[], served: Task | undefined, expect: Expect): void {
  const task = checkEvents(row, events, served, expect)
  const names = (task?.artifacts ?? []).map((artifact) => artifact.name)
  expect(names.length > 0 && new Set(names).size === names.length, `the task has the artifacts ${names}`)
}

/** What must hold for the log of every task that has ended. @returns the task that it folds to */
export function checkEvents(
  row: Row,
  events: Event[],
  served: Task | undefined,
  expect: Expect,
): Task | undefined {
  const numbers = events.map(({ n }) => n)
  const inOrder = numbers.every((n, index) => n === index + 1) && numbers.length === row.last_event
  expect(inOrder, `the log has the events ${numbers}, and the task's last is ${row.last_event}`)

  let task: Task | undefined
  const ends: number[] = []
  for (const { n, frame, history } of events) {
    const event = JSON.parse(frame) as StreamResponse
    task = fold(task, { frame: event, ...(history && { history: JSON.parse(history) as Message[] }) })
    const status = (event.statusUpdate ?? event.task)?.status
    if (status && isTerminal(status.state)) ends.push(n)
  }
  expect(isDeepStrictEqual(ends, [row.last_event]), `of ${row.last_event} events, ${ends} end the task`)
  for (const field of ['contextId', 'status', 'artifacts', 'history', 'metadata'] as const) {
    const same = isDeepStrictEqual(task?.[field], served?.[field])
    expect(same, `the log folds to other ${field} than the task has`)
  }
  expect(row.due === null && row.wait === null, `the task is due ${row.due} and waits in ${row.wait}`)
  return task
}
