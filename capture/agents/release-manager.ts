// The release manager: an agent on top of the planner, so that a capture has a chain of three.
import { type ConnectOptions, lazyAgent } from '@a2a-kit/client'
import { type Agent, defineAgent, TaskError, textOf } from '@a2a-kit/task-core'

/** `env` may set `PLANNER_URL`; `how` says how the planner is reached. */
export function makeReleaseManager(
  { PLANNER_URL = 'http://localhost:41241' }: NodeJS.ProcessEnv = process.env,
  how: Pick<ConnectOptions, 'dispatcher'> = {},
): Agent {
  const planner = lazyAgent(PLANNER_URL, { ...how, name: 'planner' })
  return defineAgent({
    card: {
      name: 'release-manager',
      description: 'Releases a change: hands it to a planner, and stays with it to the end.',
      version: '0.1.0',
      provider: { organization: 'a2a-kit', url: 'https://example.com/a2a-kit' },
      defaultInputModes: ['application/json'],
      defaultOutputModes: ['text/plain'],
      skills: [
        {
          id: 'release-change',
          name: 'Release a change',
          description:
            'Takes what the planner takes: data with repository, diff, build, environment and baseBranch.',
          tags: ['release'],
        },
      ],
    },
    async run(task) {
      const { task: shipped } = await task.follow('ship', { agent: planner, message: task.message.parts })
      const said = textOf(shipped.status.message)
      if (shipped.status.state !== 'TASK_STATE_COMPLETED')
        throw new TaskError(`Nothing was released. ${said}`)
      return `Released. ${said}`
    },
  })
}
