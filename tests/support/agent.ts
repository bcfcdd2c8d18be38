// Agents of a test's own: as little card as there can be, and the function under test.
import type { Agent } from '@a2a-kit/task-core'

/** An agent that does `run`. */
export const testAgent = (run: Agent['run'], more: Omit<Partial<Agent>, 'run' | 'card'> = {}): Agent => ({
  card: {
    name: 'test-agent',
    description: 'Does what a test needs.',
    version: '0.0.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'test', name: 'Test', description: 'For a test.', tags: ['testing'] }],
  },
  run,
  ...more,
})

/** A step's work that lasts until the test opens the gate, and tells the test that it has begun. */
export function gate() {
  const entered = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    /** For the agent: resolves when the gate is open. */
    async pass(): Promise<void> {
      entered.resolve()
      await opened.promise
    },
    /** For the test: resolves when the agent stands at the gate. */
    entered: entered.promise,
    open: () => opened.resolve(),
  }
}
