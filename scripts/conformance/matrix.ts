// The table of what is served: each operation over each binding of each version, from the tests of `tests/matrix.test.ts`.
import type { RanTest } from './report.ts'

/** §5.3, in its order. */
export const operations = [
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'GetExtendedAgentCard',
] as const

export interface Column {
  binding: string
  version: string
}

export interface Matrix {
  columns: Column[]
  /** For each operation, whether each column has it. */
  rows: { operation: string; served: boolean[] }[]
}

const cellOf = ({ file, title }: RanTest) =>
  file.endsWith('matrix.test.ts') ? /^(\w+) over (\S+) of (\d+\.\d+)$/.exec(title) : null

/** Newer versions first, and within a version the bindings in the order of the tests. An operation that is served has a test that passed. */
export function matrixOf(tests: readonly RanTest[]): Matrix {
  const cells = tests.flatMap((test) => {
    const [, operation, binding, version] = cellOf(test) ?? []
    return operation && binding && version ? [{ operation, binding, version, passed: test.passed }] : []
  })
  const columns = [...Map.groupBy(cells, ({ binding, version }) => `${binding} ${version}`).values()]
    .map(([{ binding, version } = { binding: '', version: '' }]) => ({ binding, version }))
    .toSorted((a, b) => Number(b.version) - Number(a.version))
  const rows = operations.map((operation) => ({
    operation,
    served: columns.map(({ binding, version }) => {
      const all = cells.filter(
        (cell) => cell.operation === operation && cell.binding === binding && cell.version === version,
      )
      return all.length > 0 && all.every(({ passed }) => passed)
    }),
  }))
  return { columns, rows }
}
