// A client of the deployer alone, whose deploy is approved, denied, corrected, talked about, or left; and one of the reviewer.
import type { Task } from '@a2a-kit/task-core/protocol'
import { insist } from '../callers.ts'
import { cancel, decide, follow, say } from '../follow.ts'
import type { Scene, Told } from '../scene.ts'
import type { Story } from './index.ts'
import { diff } from './ships.ts'

const request = (build: string) => [{ text: `Deploy build ${build} to staging` }]

async function deployer(scene: Scene, told: Told) {
  told.agent = 'deployer'
  return scene.callers.client(scene.agents.deployer, scene.chance.pick(['JSONRPC', 'HTTP+JSON']))
}

/** Calls `onWait` with the number of each request for approval that comes, from 1, and the task's status. */
const deploy =
  (onWait: (scene: Scene, told: Told, nth: number, task: Pick<Task, 'status'>) => Promise<unknown>): Story =>
  async (scene, told) => {
    const client = await deployer(scene, told)
    await say(scene, told, client, request('2026.10.05-2'))
    let waits = 0
    await follow(scene, told, client, async ({ event }) => {
      const status = event.statusUpdate?.status
      if (status?.state === 'TASK_STATE_AUTH_REQUIRED') await onWait(scene, told, ++waits, { status })
    })
  }

async function reply(scene: Scene, told: Told, text: string): Promise<void> {
  await say(scene, told, await deployer(scene, told), [{ text }])
}

/** Nobody decides: after the faults it waits still, and is canceled. */
const leave: Story = async (scene, told) => {
  told.ends = ['TASK_STATE_CANCELED']
  const client = await deployer(scene, told)
  const { signal } = scene
  await say(scene, told, client, request('2026.09.29-1'))
  await follow(scene, told, client, async ({ event }) => {
    return event.statusUpdate?.status.state === 'TASK_STATE_AUTH_REQUIRED'
  })
  await scene.healed
  const { status } = await insist(signal, () => client.getTask(told.taskId, { signal }))
  told.states.push(status.state)
  if (status.state === 'TASK_STATE_AUTH_REQUIRED') await cancel(scene, told, client)
}

export const deploys: Record<string, Story> = {
  'deploy approved': deploy((scene, told, _, { status }) => decide(scene, told, status.message)),
  'deploy denied': (scene, told) => {
    told.ends = ['TASK_STATE_REJECTED']
    return deploy((_scene, _told, _, { status }) => decide(scene, told, status.message, 'deny'))(scene, told)
  },
  'deploy with words that approve nothing': deploy((scene, told, nth, { status }) =>
    nth === 1 ? reply(scene, told, 'approved, go ahead') : decide(scene, told, status.message),
  ),
  'deploy corrected': deploy((scene, told, nth, { status }) =>
    nth === 1 ? reply(scene, told, 'Use build 2026.10.06-1') : decide(scene, told, status.message),
  ),
  'deploy approved and revoked': (scene, told) => {
    told.ends = ['TASK_STATE_COMPLETED', 'TASK_STATE_REJECTED'] // whichever is first, the deploy's begin or the revocation
    return deploy(async (_scene, _told, _, { status }) => {
      await decide(scene, told, status.message)
      await decide(scene, told, status.message, 'revoke')
    })(scene, told)
  },
  'deploy left': leave,
  'review with a question': async (scene, told) => {
    told.agent = 'code-reviewer'
    const reviewer = await scene.callers.client(
      scene.agents['code-reviewer'],
      scene.chance.pick(['JSONRPC', 'HTTP+JSON']),
    )
    await say(scene, told, reviewer, [{ data: { repository: 'payments-api', diff } }])
    await follow(scene, told, reviewer, async ({ event }) => {
      if (event.statusUpdate?.status.state === 'TASK_STATE_INPUT_REQUIRED')
        await say(scene, told, reviewer, [{ text: 'main' }])
    })
  },
}
