// The deployer: its card, and the task of deploying one build once an operator approved exactly that.
import {
  type Agent,
  type AgentDescription,
  type Decision,
  defineAgent,
  type Part,
  type StepContext,
  type Struct,
  TaskError,
  type TaskHandle,
} from '@a2a-kit/task-core'
import { repository } from './build.ts'
import type { Builds } from './builds.ts'
import { DeployError } from './deploy-error.ts'
import { type Environments, frozenText } from './environments.ts'
import { extendedCard } from './extended-card.ts'
import type { Deployment, JournalLine } from './journal.ts'
import {
  asksForBuilds,
  buildsQuestion,
  type DeployRequest,
  examples,
  type Known,
  parseDeployRequest,
  type Reply,
  readReply,
} from './request.ts'

const card: AgentDescription = {
  name: 'deployer',
  description: `Deploys builds of ${repository} to an environment, after an operator approved it.`,
  version: '0.1.0',
  provider: { organization: 'a2a-kit', url: 'https://example.com/a2a-kit' },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'deploy-build',
      name: 'Deploy a build',
      description:
        'Deploys one build to one environment. The task waits for an operator, who approves outside of the protocol; its artifact deployment.json says what was deployed.',
      tags: ['deploy', 'approval'],
      examples: [...examples],
    },
    {
      id: 'list-builds',
      name: 'List the builds',
      description: 'Says at once, in a message and without a task, which builds and environments there are.',
      tags: ['deploy'],
      examples: [buildsQuestion],
    },
  ],
}

export interface DeployerOptions {
  builds: Builds
  environments: Environments
}

/** The agent, over the builds and environments that it has. */
export const deployer = ({ builds, environments }: DeployerOptions): Agent =>
  defineAgent({
    card,
    extended: extendedCard(environments),

    reply: async (message) =>
      asksForBuilds(message) ? tellBuilds(await builds.known(), environments.known()) : undefined,

    async run(task) {
      let request = parseDeployRequest(task.message)
      for (;;) {
        const { build, environment } = request
        const known = await task.step('look up', () => lookUp(request, builds, environments))
        if (known.refusal) return await task.reject(known.refusal)
        const { checksum } = known
        if (!checksum) throw new TaskError(`There is no build ${build}. Known: ${known.builds.join(', ')}.`)

        await task.working(
          `Build ${build} found, ${checksum}. Deploying it to ${environment} takes an approval.`,
        )
        const requester = task.caller
        const operation = { action: 'deploy', repository, build, environment, checksum, requester }
        const answer = await waitForAnswer(task, operation, request, known)
        const nothing = `Build ${build} was not deployed to ${environment}`
        switch (answer.outcome) {
          case 'corrected':
            request = answer.request
            continue
          case 'withdrawn':
            return await task.reject(`${nothing}; the client withdrew it: ${answer.words}`)
          case 'denied':
          case 'revoked': {
            const verb = answer.outcome === 'denied' ? 'denied it' : 'revoked the approval'
            return await task.reject(`${nothing}; ${answer.by} ${verb}: ${answer.reason}`)
          }
          case 'expired':
            throw new TaskError(`${nothing}; nobody approved it until ${answer.at}. A new task asks again.`)
        }

        const deploy = async ({ idempotencyKey, signal }: StepContext) => {
          const order = { ...request, checksum, approval: answer, taskId: task.id, idempotencyKey, signal }
          return publicPart(await environments.deploy(order).catch(forTheClient))
        }
        const deployment = await task.step('deploy', deploy, { approval: answer })
        await task.artifact({ name: 'deployment.json', data: deployment })
        return `Build ${build} is deployed to ${environment}, ${insteadOf(deployment.previousBuild, build)}.`
      }
    },

    async canceled(task) {
      if (task.unfinished === 'deploy') {
        return 'The deploy was approved and running, and may still finish; the journal of the environment will say.'
      }
      const done = await task.step('look what was done', () => environments.deployedBy(task.id))
      if (!done) return 'Nothing was deployed.'
      return `The deploy was done already: build ${done.build} went to ${done.environment} at ${done.deployedAt}.`
    },
  })

/** What there is, for a person and for a program. */
const tellBuilds = (builds: string[], environments: string[]): Part[] => [
  { text: `Builds of ${repository}: ${builds.join(', ')}. Environments: ${environments.join(', ')}.` },
  { data: { builds, environments }, mediaType: 'application/json' },
]

/** What is known now, with the checksum of the build if there is such a build, or why the deploy is refused. */
async function lookUp(request: DeployRequest, builds: Builds, environments: Environments): Promise<LookedUp> {
  const known = { builds: await builds.known(), environments: environments.known() }
  const environment = environments.find(request.environment)
  if (!environment) {
    const names = known.environments.join(', ')
    return { ...known, refusal: `There is no environment ${request.environment}. Known: ${names}.` }
  }
  if (environment.freeze) return { ...known, refusal: frozenText(environment) }
  const found = await builds.find(request.build).catch(forTheClient)
  return { ...known, ...(found && { checksum: found.checksum }) }
}

interface LookedUp extends Known {
  refusal?: string
  checksum?: string
}

type Answer = Exclude<Decision, { outcome: 'message' }> | Exclude<Reply, { outcome: 'other' }>

/** Waits until an operator decides or the client says something that changes the deploy. A message approves nothing. */
async function waitForAnswer(
  task: TaskHandle,
  operation: Struct,
  request: DeployRequest,
  known: Known,
): Promise<Answer> {
  const { build, environment, checksum } = operation
  for (let asked = ''; ; ) {
    const explain = (url: string) => `${asked}An operator must approve this deploy at ${url}`
    const decision = await task.authorize({ operation, explain })
    if (decision.outcome !== 'message') return decision
    const reply = readReply(decision.message, request, known)
    if (reply.outcome !== 'other') return reply
    asked = `Build ${build} (${checksum}) still waits to be deployed to ${environment}. A message cannot approve it, only name another build or environment, or withdraw it. `
  }
}

const publicPart = ({ taskId, idempotencyKey, ...deployment }: JournalLine): Deployment => deployment

const insteadOf = (previous: string | null, build: string): string =>
  previous === build ? 'as it was before' : previous ? `in place of ${previous}` : 'as the first build there'

/** For `catch`: what a DeployError says is for the client; everything else is for the log. */
const forTheClient = (error: unknown): never => {
  throw error instanceof DeployError ? new TaskError(error.message, { cause: error }) : error
}
