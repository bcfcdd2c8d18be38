// The transitions that tasks make in the captures, each with the captures that show it.
import type { TaskState } from '@a2a-kit/task-core/protocol'
import type { Capture } from '../../../capture/model.ts'
import { clockStep } from '../../../capture/world.ts'
import { transitions as allowed } from '../../../shared/task-core/src/engine/transitions.ts'
import { captureFolder } from '../library.ts'
import { link, table } from '../markdown.ts'
import { MarkerError } from '../problem.ts'
import { type Seen, statusesIn, statusesOf } from './statuses.ts'

/** `undefined` is before the task is there. */
export interface Transition {
  from: TaskState | undefined
  to: TaskState
  /** The names of the captures. */
  captures: string[]
}

/**
 * Follows each task through everything that a capture shows of it. Of two statuses that it shows, nothing may have been in between
 * if a stream has one after the other, or if they are one step of the clock apart, since that moves at each recorded status. Of
 * others nothing is said.
 */
export function transitionsIn(captures: Capture[]): Transition[] {
  const found = new Map<string, Transition>()
  const note = (from: TaskState | undefined, to: TaskState, capture: string) => {
    const transition = found.get(`${from} ${to}`) ?? { from, to, captures: [] }
    if (transition.captures.at(-1) !== capture) transition.captures.push(capture)
    found.set(`${from} ${to}`, transition)
  }
  for (const { name, exchanges } of captures) {
    const all = tasksIn(exchanges.flatMap(statusesOf)).map((task) => task.toSorted((a, b) => a.at - b.at))
    const streams = exchanges.flatMap(({ answer: { frames = [] } }) =>
      tasksIn(frames.flatMap(({ data }) => statusesIn(data))),
    )
    for (const [first] of all)
      if (first!.state === 'TASK_STATE_SUBMITTED') note(undefined, first!.state, name)
    for (const [from, to] of all.flatMap(pairs))
      if (to.at - from.at === clockStep) note(from.state, to.state, name)
    for (const [from, to] of streams.flatMap(pairs)) if (to.at > from.at) note(from.state, to.state, name)
  }
  return [...found.values()]
}

/** By task, in the order that they have. */
const tasksIn = (statuses: Seen[]): Seen[][] => [...Map.groupBy(statuses, ({ taskId }) => taskId).values()]

/** Each with the one after it. */
const pairs = (statuses: Seen[]): [Seen, Seen][] =>
  statuses.slice(1).map((status, at) => [statuses[at]!, status])

/** @throws MarkerError for a transition that the kit's table does not have */
export function transitionsTable(captures: Capture[], page: string): string[] {
  const seen = transitionsIn(captures)
  for (const { from, to, captures } of seen) {
    if (from && !allowed[from].includes(to))
      throw new MarkerError(`${captures[0]} shows ${from} → ${to}, which the kit's table does not have.`)
  }
  const of = (from: TaskState | undefined, to: TaskState) =>
    seen.find((transition) => transition.from === from && transition.to === to)
  const all = Object.entries(allowed) as [TaskState, TaskState[]][]
  const inOrder: [TaskState | undefined, TaskState][] = [
    [undefined, 'TASK_STATE_SUBMITTED'],
    ...all.flatMap(([from, states]) => states.map((to): [TaskState, TaskState] => [from, to])),
  ]
  const rows = inOrder.flatMap(([from, to]) => {
    const links = of(from, to)?.captures.map((name) =>
      link(page, `${captureFolder}/${name}.http`, name.slice(0, 2)),
    )
    return links ? [[from ? `\`${from}\`` : '(new)', `\`${to}\``, links.join(', ')]] : []
  })
  const unseen = all.flatMap(([from, states]) => {
    const missing = states.filter((to) => !of(from, to))
    return missing.length > 0 ? [`- from \`${from}\` to ${missing.map((to) => `\`${to}\``).join(', ')}`] : []
  })
  return [
    ...table(['from', 'to', 'captures'], rows),
    ...(unseen.length > 0
      ? [
          '',
          'The kit allows these too. Where a capture has both states of a task, it does not show that nothing came between them:',
          '',
          ...unseen,
        ]
      : []),
  ]
}
