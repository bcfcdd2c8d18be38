// What the deployer's card says to callers who show who they are (§13.3): where it deploys to, and what is frozen.
import type { AgentDescription } from '@a2a-kit/task-core'
import { repository } from './build.ts'
import { type Environments, frozenText } from './environments.ts'

/** One further skill for each environment. */
export const extendedCard = ({
  known,
  find,
}: Pick<Environments, 'known' | 'find'>): Partial<AgentDescription> => ({
  skills: known().map((name) => {
    const environment = find(name)!
    const { freeze } = environment
    return {
      id: `deploy-to-${name}`,
      name: `Deploy to ${name}`,
      description: `Deploys a build of ${repository} to ${name}. ${freeze ? frozenText(environment) : 'Nothing is frozen there.'}`,
      tags: ['deploy', 'environment', ...(freeze ? ['frozen'] : [])],
    }
  }),
})
