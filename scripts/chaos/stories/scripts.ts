// Clients of the scripted agent: chunks, effects that are counted, a question, a cancel, a blocking call, two ways to end badly.
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentClient, SendOptions } from '@a2a-kit/client'
import { isCancelStored } from '../checks/database.ts'
import { cancel, follow, say } from '../follow.ts'
import type { Scene, Told } from '../scene.ts'
import type { Story } from './index.ts'

/** Sends the script, and has the events sent to the webhook half of the time. */
async function begin(scene: Scene, told: Told, script: string, more: SendOptions = {}): Promise<AgentClient> {
  const client = await scene.callers.client(
    scene.agents.conformance,
    scene.chance.pick(['JSONRPC', 'HTTP+JSON']),
  )
  told.effects = [...script.matchAll(/count (\w+)/g)].map(([, name]) => name!)
  const options: SendOptions = { returnImmediately: true, ...more }
  if (scene.chance.onceIn(2)) {
    const path = `/${scene.id}/${encodeURIComponent(told.story)}`
    told.push = { path, token: `token of ${path}` }
    options.taskPushNotificationConfig = { url: scene.webhook.url(path), token: told.push.token }
  }
  await say(scene, told, client, [{ text: script }], options)
  return client
}

/** Sends the script, and follows its task to the end. */
const run =
  (script: (scene: Scene) => string, ends: Told['ends'] = ['TASK_STATE_COMPLETED']): Story =>
  async (scene, told) => {
    told.ends = ends
    const client = await begin(scene, told, script(scene))
    await follow(scene, told, client, async () => {})
  }

export const scripts: Record<string, Story> = {
  chunks: run(({ chance }) => {
    const [count, every] = [chance.between(5, 40), chance.between(5, 40)]
    return `count a; working; chunks ${count} every ${every}; count b; complete done`
  }),
  'a reader that is slow': async (scene, told) => {
    const client = await begin(scene, told, 'working; chunks 150 every 2 of 6000; count a; complete done')
    const [first, second] = [scene.chance.between(2, 60), scene.chance.between(61, 140)]
    await follow(scene, told, client, async ({ n }) => {
      if (n === first || n === second) await pause(400, undefined, { signal: scene.signal })
    })
  },
  effects: run(() => 'count a; sleep 150; count b; sleep 150; count c; artifact note well; complete done'),
  'a question': async (scene, told) => {
    const client = await begin(scene, told, 'count a; ask How many?; count b; complete done')
    await follow(scene, told, client, async ({ event }) => {
      if (event.statusUpdate?.status.state === 'TASK_STATE_INPUT_REQUIRED')
        await say(scene, told, client, [{ text: 'three' }])
    })
  },
  'a cancel': async (scene, told) => {
    told.ends = ['TASK_STATE_CANCELED']
    const client = await begin(scene, told, 'count a; sleep 600000')
    await follow(scene, told, client, async ({ event }) => {
      if (event.artifactUpdate) await cancel(scene, told, client)
    })
  },
  'a cancel that is asked for once': async (scene, told) => {
    told.ends = ['TASK_STATE_CANCELED']
    // The step goes on for a while when it is canceled, so that a kill can come before the cancel is carried out.
    const client = await begin(scene, told, 'count a; sleep 1200 ignoring abort; sleep 600000')
    const { file, url } = scene.agents.conformance
    const params = { jsonrpc: '2.0', id: 1, method: 'CancelTask', params: { id: told.taskId } }
    let ended = false
    const following = follow(scene, told, client, async ({ event }) => {
      // Whatever becomes of the answer.
      if (event.artifactUpdate) await scene.callers.post(`${url}/a2a`, params).catch(() => {})
    }).finally(() => {
      ended = true
    })
    await scene.healed
    await Promise.race([following, pause(4000, undefined, { signal: scene.signal })])
    // A cancel that was stored is carried out, also after a restart; one that was not is asked for again.
    if (!ended && isCancelStored(file, told.taskId))
      throw new Error('its cancel was stored, and is not carried out')
    if (!ended) await cancel(scene, told, client)
    await following
  },
  'a call that waits': async (scene, told) => {
    const client = await begin(scene, told, 'count a; sleep 300; count b; complete done', {
      returnImmediately: false,
    })
    await follow(scene, told, client, async () => {})
  },
  'a failure': run(() => 'count a; sleep 100; fail as told', ['TASK_STATE_FAILED']),
  'a refusal': run(() => 'count a; sleep 100; reject as told', ['TASK_STATE_REJECTED']),
}
