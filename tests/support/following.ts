// What the tests of `follow` share: an agent that has its work done by another.
import type { Delegation, FollowedTask } from '@a2a-kit/task-core'
import type { Task } from '@a2a-kit/task-core/protocol'
import { testAgent } from './agent.ts'
import { type FakeRemote, fakeRemote } from './fake-remote.ts'
import { startProbe } from './probe.ts'
import { begin } from './talk.ts'
import { until } from './wait.ts'

/** An agent that has its work done by `remote`, and shows in an artifact what came of it. */
export const following = ({ agent }: Pick<FakeRemote, 'agent'>, more: Partial<Delegation> = {}) =>
  testAgent(async (task) => {
    const followed = await task.follow('review', { agent, message: 'Please review this.', ...more })
    await task.artifact({ name: 'followed', data: followed })
    return `It ended in ${followed.task.status.state}.`
  })

/** What `following` shows. */
export const followedIn = (task: Task) =>
  task.artifacts!.find(({ name }) => name === 'followed')!.parts[0]!.data as unknown as FollowedTask

/** A task that follows a new remote task, which was just made. */
export async function started(remote = fakeRemote(), more?: Partial<Delegation>) {
  const agent = following(remote, more)
  const probe = await startProbe({ agent })
  const id = await begin(probe)
  await until('the first message', () => remote.state())
  const restarted = async () => {
    await probe.close()
    return startProbe({ agent, dataDir: probe.dataDir })
  }
  return { remote, probe, id, restarted }
}
