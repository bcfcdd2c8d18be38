import { generateKeyPairSync } from 'node:crypto'
import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { ClientFactory, DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import {
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { conformance } from '@a2a-kit/conformance'
import type { SendMessageRequest, StreamResponse, Task } from '@a2a-kit/task-core/protocol'
import type { JWK } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { operate } from './support/operator.ts'
import { startProbe, userMessage } from './support/probe.ts'
import { question, serving, startDeployer, startReviewer } from './support/sdk-agents.ts'
import { sdkBindings, sdkClient } from './support/sdk-client.ts'
import { says } from './support/talk.ts'

afterEach(() => vi.restoreAllMocks())

const message = (text: string, task?: Pick<Task, 'id' | 'contextId'>): SendMessageRequest => {
  const place = task && { taskId: task.id, contextId: task.contextId }
  return { message: { ...userMessage(text, place), role: 'ROLE_USER' } }
}
const deployIt = () => message('Deploy build 2026.10.06-1 to staging')

/** What an event is, in short. */
function told({ task, statusUpdate, artifactUpdate }: StreamResponse): string {
  const status = (statusUpdate ?? task)?.status
  if (status) return `${task ? 'task ' : ''}${status.state.replace('TASK_STATE_', '')}`
  return `artifact ${artifactUpdate!.artifact.name}`
}

describe.each(sdkBindings)('the official SDK over %s', (binding) => {
  test('gets the question from a blocking call, answers on the task, and reads the review', async () => {
    const { probe, review } = await startReviewer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const asked = await sdk.send(message(review))
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(says(asked)).toBe(question)
    const done = await sdk.send(message('main', asked))
    expect(done.id).toBe(asked.id)
    expect(done.status.state).toBe('TASK_STATE_COMPLETED')
    expect(done.artifacts).toMatchObject([
      { name: 'review.md', parts: [{ text: expect.stringContaining('## Verdict') }] },
      { name: 'review.json', parts: [{ data: { verdict: 'approve', base: 'main' } }] },
    ])
  })

  test('gets the question from a stream that it ends, and the review from the stream of the answer', async () => {
    const { probe, review } = await startReviewer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const asking = await Array.fromAsync(sdk.stream(message(review)))
    expect(asking.map(told)).toEqual(['task SUBMITTED', 'INPUT_REQUIRED'])
    const answering = await Array.fromAsync(sdk.stream(message('main', asking[0]!.task)))
    expect(answering.map(told)).toEqual([
      'task WORKING',
      'WORKING',
      'artifact review.md',
      'artifact review.json',
      'COMPLETED',
    ])
  })

  test('waits for an approval on one stream, which brings the artifact and the end', async () => {
    const probe = await startDeployer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const seen: string[] = []
    for await (const event of sdk.stream(deployIt())) {
      seen.push(told(event))
      const { taskId, status } = event.statusUpdate ?? {}
      if (status?.state === 'TASK_STATE_AUTH_REQUIRED') {
        expect((await operate(probe, 'approve', taskId!)).status).toBe(200)
      }
    }
    expect(seen).toEqual([
      'task SUBMITTED',
      'WORKING',
      'AUTH_REQUIRED',
      'WORKING',
      'artifact deployment.json',
      'COMPLETED',
    ])
  })

  test('has the wait back from a blocking call, subscribes to it, and gets the task at its end', async () => {
    const probe = await startDeployer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const waiting = await sdk.send(deployIt())
    expect(waiting.status.state).toBe('TASK_STATE_AUTH_REQUIRED')
    const seen: string[] = []
    for await (const event of sdk.subscribe(waiting.id)) {
      seen.push(told(event))
      if (event.task) await operate(probe, 'approve', waiting.id)
    }
    expect(seen).toEqual(['task AUTH_REQUIRED', 'WORKING', 'artifact deployment.json', 'COMPLETED'])
    const got = await sdk.get({ id: waiting.id })
    expect(got.status.state).toBe('TASK_STATE_COMPLETED')
    expect(got.artifacts![0]!.parts[0]!.data).toMatchObject({ build: '2026.10.06-1', environment: 'staging' })
  })

  test('cancels from either wait, and is told what was not done', async () => {
    const { probe, review } = await startReviewer(binding)
    const reviewer = await sdkClient(probe.url, binding)
    const asked = await reviewer.cancel((await reviewer.send(message(review))).id)
    expect([asked.status.state, says(asked)]).toEqual([
      'TASK_STATE_CANCELED',
      'Canceled: no review was written.',
    ])
    const deployer = await sdkClient((await startDeployer(binding)).url, binding)
    const waited = await deployer.cancel((await deployer.send(deployIt())).id)
    expect([waited.status.state, says(waited)]).toEqual(['TASK_STATE_CANCELED', 'Nothing was deployed.'])
  })

  test('gets as much history as it asks for, none for 0, and lists its tasks', async () => {
    const { probe, review } = await startReviewer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const asked = await sdk.send(message(review))
    await sdk.send(message('main', asked))
    const { id } = asked
    const texts = ({ history }: Task) => history?.map(({ parts }) => parts[0]!.text)
    expect(texts(await sdk.get({ id }))).toEqual([review, question, 'main'])
    expect(texts(await sdk.get({ id, historyLength: 2 }))).toEqual([question, 'main'])
    // The SDK makes an empty list of a history that is left out, and leaves it out again in its JSON.
    expect(texts(await sdk.get({ id, historyLength: 0 }))).toBeUndefined()

    const other = await sdk.send(message(review))
    const page = await sdk.list({ pageSize: 1 })
    expect(page).toMatchObject({ totalSize: 2, pageSize: 1, tasks: [{ id: other.id }] })
    const rest = await sdk.list({ pageSize: 1, pageToken: page.nextPageToken })
    expect(rest.tasks.map((task) => task.id)).toEqual([id])
    const waiting = await sdk.list({ status: 'TASK_STATE_INPUT_REQUIRED' })
    expect(waiting.tasks.map((task) => task.id)).toEqual([other.id])
  })

  test('has each refusal as the error of its own that the SDK has for it', async () => {
    const { probe, review } = await startReviewer(binding)
    const sdk = await sdkClient(probe.url, binding)
    const asked = await sdk.send(message(review))
    const elsewhere = message('main', { id: asked.id, contextId: 'another' })
    await expect(sdk.get({ id: 'unknown' })).rejects.toThrow(TaskNotFoundError)
    await expect(sdk.cancel('unknown')).rejects.toThrow(TaskNotFoundError)
    await expect(sdk.send(elsewhere)).rejects.toThrow(RequestMalformedError)
    await sdk.cancel(asked.id)
    await expect(sdk.cancel(asked.id)).rejects.toThrow(TaskNotCancelableError)
    await expect(sdk.send(message('main', asked))).rejects.toThrow(UnsupportedOperationError)
    await expect(Array.fromAsync(sdk.stream(message('main', asked)))).rejects.toThrow(
      UnsupportedOperationError,
    )
    await expect(Array.fromAsync(sdk.subscribe(asked.id))).rejects.toThrow(UnsupportedOperationError)
    await expect(Array.fromAsync(sdk.subscribe('unknown'))).rejects.toThrow(TaskNotFoundError)
  })

  test('shows its token and gets the extended card', async () => {
    const extended = {
      skills: [{ id: 'more', name: 'More', description: 'For those who are known.', tags: ['extended'] }],
    }
    const agent = { ...conformance, extended }
    const { url } = await startProbe({
      agent,
      ...serving(binding),
      callerTokens: { alice: 'a-token-of-alice-1' },
    })
    const sdk = await sdkClient(url, binding)
    const card = await sdk.card({ serviceParameters: { Authorization: 'Bearer a-token-of-alice-1' } })
    expect(card.skills.map(({ id }) => id)).toEqual(['script', 'more'])
    await expect(sdk.card({})).rejects.toThrow(/Bearer/)
  })
})

describe('the card in the official SDK', () => {
  test('resolves with the version in the header and without it, to the same interfaces', async () => {
    const { url } = await startProbe()
    const asAnybody = (input: string | URL | Request) => fetch(input)
    const plain = new DefaultAgentCardResolver({ fetchImpl: asAnybody })
    const card = await new DefaultAgentCardResolver().resolve(url)
    const found = await plain.resolve(url)
    expect(found.supportedInterfaces).toEqual(card.supportedInterfaces)
    for (const one of [card, found]) {
      const { protocolVersion } = await new ClientFactory().createFromAgentCard(one)
      expect(protocolVersion).toBe('1.0')
    }
  })

  test('CARD-SIGNATURE: is verified as it was served, and refused when a word of it has changed', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const { url } = await startProbe({ signingKey })
    const card = await new DefaultAgentCardResolver().resolve(url)
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      const { keys } = (await (await fetch(jku!)).json()) as { keys: JWK[] }
      return keys.find((key) => key.kid === kid)!
    })
    await verify(card)
    // The SDK prints what it does not verify.
    vi.spyOn(console, 'debug').mockImplementation(() => {})
    await expect(verify({ ...card, description: `${card.description}!` })).rejects.toThrow()
  })
})
