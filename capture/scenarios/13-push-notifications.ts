// 13: the events of a task are sent to a webhook.
import { message, scenario } from '../story.ts'
import { deployThis } from './requests.ts'

export default scenario({
  title: 'The events of a task are sent to a webhook',
  about: `A client that does not want to keep a stream open gives the agent an address, and the agent sends each event of the task there as a POST
    (§4.3.3): what a stream would carry, in order, each until it is taken. Deliveries are requests from the agent to the client's webhook,
    and stand here where they arrived.`,
  agents: { deployer: { env: { PUSH_ALLOWED_HOSTS: 'localhost', PUSH_FIRST_DELAY_MS: '1' } } },
  async play({ actor, overheard, webhook, secret }) {
    const client = actor('client')
    const { url, deliveries } = await webhook({ answers: [503] })
    const authentication = { scheme: 'Bearer', credentials: secret('credentials') }

    overheard([
      {
        tell: 'The deployer sends the first event: the task as it was made.',
        notice: `The webhook answers 503, so the event is not taken. The credentials of the config are in Authorization and its token in
          X-A2A-Notification-Token, so the webhook can tell that the request is from the agent that its client chose. (The specification
          names no header for the token: this one is the kit's choice.)`,
      },
      {
        tell: 'The deployer tries again after a pause that grows with each failure. The events behind this one wait for it.',
        notice:
          'Taken: any status from 200 to 299 says so. The body is one StreamResponse, as on a stream: a task, a message, a statusUpdate or an artifactUpdate.',
      },
      { tell: 'The next event: the deployer is working.' },
      {
        tell: 'The deploy waits for an operator.',
        notice:
          'The link is in the event. The client can now tell its operator, without having asked the deployer once.',
      },
    ])
    const { body: begun } = await client.call(
      'deployer',
      'SendMessage',
      {
        message: message('msg-deploy', deployThis),
        configuration: {
          returnImmediately: true,
          taskPushNotificationConfig: {
            url: `${url}/deploys`,
            token: secret('notificationToken'),
            authentication,
          },
        },
      },
      {
        tell: `The client asks for a deploy, and says with the same request where its events go. returnImmediately: it wants to wait for
          nothing.`,
        notice: 'The task has just been made. All else comes to the webhook.',
      },
    )
    const taskId = begun.result.task.id
    await deliveries(4)
    const { body: listed } = await client.call(
      'deployer',
      'ListTaskPushNotificationConfigs',
      { taskId },
      {
        tell: 'The client looks at what is registered for the task.',
        notice:
          'The agent gave the config an id. It shows its secrets only to the caller to whom the task belongs.',
      },
    )
    const { id } = listed.result.configs[0]
    await client.call(
      'deployer',
      'CreateTaskPushNotificationConfig',
      { taskId, id: 'release-log', url: `${url}/releases`, token: secret('notificationToken') },
      {
        tell: 'A config can be added to a task at any time, with an id of the client’s choice. This one is for another path of the webhook.',
        notice: 'It gets what happens from now on; nothing of what was before.',
      },
    )
    await client.call(
      'deployer',
      'DeleteTaskPushNotificationConfig',
      { taskId, id },
      { tell: 'The client deletes the first config.', notice: 'From here on nothing is sent to /deploys.' },
    )
    await client.call(
      'deployer',
      'GetTaskPushNotificationConfig',
      { taskId, id: 'release-log' },
      {
        tell: 'The client reads the one that is left.',
        notice: 'As it was created. It has no authentication, so its deliveries have no Authorization.',
      },
    )

    overheard([
      { tell: 'The deploy goes on.' },
      {
        tell: 'The deployer hands over its artifact.',
        notice: 'An artifactUpdate, whole: append is absent and lastChunk is true.',
      },
      { tell: 'The last event.', notice: 'The task is completed. Nothing more is sent.' },
    ])
    await actor('operator').post('deployer', `/approve/${taskId}`, undefined, {
      tell: 'The operator approves.',
    })
    await deliveries(7)
    await client.call(
      'deployer',
      'GetTask',
      { id: taskId, historyLength: 0 },
      {
        tell: 'A delivery can come twice, and a webhook can be down for long. What counts is what the task says.',
        notice: 'The same end as in the last delivery.',
      },
    )
  },
})
