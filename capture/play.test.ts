import { describe, expect, test } from 'vitest'
import { write } from './format.ts'
import { play } from './play.ts'
import { message, scenario } from './story.ts'

const tell = 'Somebody sends something.'
const textIn = (capture: Parameters<typeof write>[0]) => [...write(capture).values()].join('\n')

describe('a scenario', () => {
  test('sets an agent up with a secret, which is written nowhere, and leaves out a header', async () => {
    let token = ''
    const capture = await play(
      '98-secret',
      scenario({
        title: 'A secret',
        about: 'Made up.',
        agents: (secret) => ({ conformance: { env: { CALLER_TOKENS: `somebody:${secret('token')}` } } }),
        async play({ actor, secret }) {
          token = secret('token')
          const headers = { 'A2A-Version': undefined, Authorization: `Bearer ${token}` }
          const params = {
            message: {
              kind: 'message',
              messageId: 'm',
              role: 'user',
              parts: [{ kind: 'text', text: `reply ${token}` }],
            },
          }
          const { status } = await actor('client').call('conformance', 'message/send', params, {
            headers,
            tell,
          })
          expect(status).toBe(200)
        },
      }),
    )
    const [{ request }] = capture.exchanges as [(typeof capture.exchanges)[0]]
    expect(request.headers).toEqual([
      ['Content-Type', 'application/json'],
      ['Authorization', 'Bearer {{token}}'],
    ])
    expect(textIn(capture)).not.toContain(token)
    expect(textIn(capture)).toContain('reply {{token}}')
  })

  test('a stream is cut where its client leaves before the end, and not where it leaves after it', async () => {
    const capture = await play(
      '98-cut',
      scenario({
        title: 'Two streams',
        about: 'Made up.',
        agents: { conformance: {} },
        async play({ actor }) {
          const client = actor('client')
          for (const text of ['authorize it', 'complete']) {
            const params = { message: message(`msg-${text}`, { text }) }
            const stream = await client.stream('conformance', 'SendStreamingMessage', params, { tell })
            await stream.cut(2)
          }
        },
      }),
    )
    expect(capture.exchanges.map(({ answer }) => answer.cut)).toEqual([true, undefined])
  })

  test('a push notification is recorded as it was sent, and tells the time of the agent that sent it', async () => {
    const capture = await play(
      '98-push',
      scenario({
        title: 'A push notification',
        about: 'Made up.',
        agents: { conformance: { env: { PUSH_ALLOWED_HOSTS: 'localhost' } } },
        async play({ actor, overheard, webhook }) {
          const { url, deliveries } = await webhook()
          overheard([{ tell }, { tell }])
          const taskPushNotificationConfig = { url: `${url}/hook`, token: 'no secret' }
          const configuration = { returnImmediately: true, taskPushNotificationConfig }
          const params = { message: message('msg', { text: 'complete' }), configuration }
          const { body } = await actor('client').call('conformance', 'SendMessage', params, { tell })
          await deliveries(2)
          await actor('client').call('conformance', 'GetTask', { id: body.result.task.id }, { tell })
        },
      }),
    )
    const [sent, first, , got] = capture.exchanges
    expect(sent!.request.body).toMatchObject({
      params: { configuration: { taskPushNotificationConfig: { url: '{{webhook}}/hook' } } },
    })
    expect(first).toMatchObject({ from: 'conformance', to: 'webhook', request: { url: '{{webhook}}/hook' } })
    expect(first!.request.headers).toEqual([
      ['Content-Type', 'application/a2a+json'],
      ['X-A2A-Notification-Token', 'no secret'],
    ])
    expect([sent!.answer.ms, got!.answer.ms]).toEqual([250, 0])
  })

  test('reaches the agents that it starts, and nothing that listens at the documented ports', async () => {
    const playing = play(
      '98-elsewhere',
      scenario({
        title: 'Elsewhere',
        about: 'Made up.',
        agents: { conformance: {} },
        play: async ({ actor }) => void (await actor('client').get('planner', '/health', { tell })),
      }),
    )
    await expect(playing).rejects.toThrow('localhost:41241 is no agent of this capture.')
  })

  test('that waits for what does not come says what was still open', async () => {
    const playing = play(
      '98-waiting',
      scenario({
        title: 'Waiting',
        about: 'Made up.',
        agents: { conformance: {} },
        async play({ actor }) {
          const params = { message: message('msg', { text: 'authorize it' }) }
          const stream = await actor('client').stream('conformance', 'SendStreamingMessage', params, { tell })
          await stream.frames(3)
        },
      }),
      2000,
    )
    await expect(playing).rejects.toThrow(
      'still open are: 1, POST http://localhost:41249/a2a by client, with 2 frames.',
    )
  })
})
