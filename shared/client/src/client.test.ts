import { describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/ports.ts'
import { type ConnectOptions, connect, lazyAgent } from './connect.ts'
import { CardError, GaveUpError, HttpError } from './errors.ts'
import { bothBindings, type Exchange, fakeAgent } from './testing/fake-agent.ts'
import { drain, hello, quickWorld, statusOf, taskIn } from './testing/fixtures.ts'

const quick = (more: ConnectOptions = {}): ConnectOptions => ({ world: quickWorld(), ...more })
const task = taskIn('TASK_STATE_WORKING')
const canceled = taskIn('TASK_STATE_CANCELED')

/** Plays one answer after the other; the last one again and again. */
const inTurn = (...answers: ((exchange: Exchange) => unknown)[]) => {
  let turn = 0
  return (exchange: Exchange) => answers[Math.min(turn++, answers.length - 1)]!(exchange)
}
const drop = ({ reset }: Exchange) => reset()
const sent = ({ result }: Exchange) => result({ task })

describe.each(bothBindings)('a call over %s', (binding) => {
  test('DUPLICATE-MESSAGEID: a send whose answer is lost is sent again with the same messageId and body', async () => {
    const { url, exchanges } = await fakeAgent(inTurn(drop, drop, sent), { binding })
    expect(await (await connect(url, quick())).sendMessage(hello)).toEqual({ task })
    expect(exchanges.map(({ params }) => params)).toEqual(Array(3).fill({ message: hello }))
  })

  test.each([429, 502, 503, 504])('is tried again after HTTP %i', async (status) => {
    const busy = ({ reply }: Exchange) => reply(status, 'text/plain', 'later', { 'Retry-After': '2' })
    const { url, exchanges } = await fakeAgent(inTurn(busy, sent), { binding })
    const world = quickWorld()
    expect(await (await connect(url, { world })).sendMessage(hello)).toEqual({ task })
    expect(exchanges).toHaveLength(2)
    expect(world.pauses).toEqual([2000])
  })

  test('is tried again after the protocol’s own 503, as long after as it asks', async () => {
    const busy = ({ error }: Exchange) =>
      error('UnavailableError', 'Stopping.', { headers: { 'Retry-After': '3' } })
    const { url } = await fakeAgent(inTurn(busy, sent), { binding })
    const world = quickWorld()
    expect(await (await connect(url, { world })).sendMessage(hello)).toEqual({ task })
    expect(world.pauses).toEqual([3000])
  })

  test.each([Infinity, 30 * 24 * 3600_000])('with a limit of %s ms has none', async (ms) => {
    const slowly = ({ result }: Exchange) => setTimeout(() => result({ task }), 100)
    const { url, exchanges } = await fakeAgent(slowly, { binding })
    const limits = { replyMs: ms, blockingMs: ms, idleMs: ms }
    expect(await (await connect(url, quick({ limits }))).sendMessage(hello)).toEqual({ task })
    expect(exchanges).toHaveLength(1)
  })

  test('is tried once when the agent refuses it', async () => {
    const { url, exchanges } = await fakeAgent(({ error }) => error('InvalidParamsError'), { binding })
    await expect((await connect(url, quick())).sendMessage(hello)).rejects.toMatchObject({
      name: 'InvalidParamsError',
    })
    expect(exchanges).toHaveLength(1)
  })

  test('is tried once when the answer is not the protocol’s', async () => {
    const { url, exchanges } = await fakeAgent(({ reply }) => reply(401, 'text/html', '<p>Log in'), {
      binding,
    })
    await expect((await connect(url, quick())).sendMessage(hello)).rejects.toThrow(HttpError)
    expect(exchanges).toHaveLength(1)
  })

  test('gives up with the agent, the tries and the reason', async () => {
    const { url, close } = await fakeAgent(sent, { binding })
    const client = await connect(url, quick({ retry: { attempts: 3 } }))
    await close()
    const error = await client.sendMessage(hello).catch((reason) => reason)
    expect(error).toBeInstanceOf(GaveUpError)
    expect(error.message).toMatch(
      /^Gave up on fake at 127\.0\.0\.1:\d+ after 3 tries in 0\.6 s\. No answer from/,
    )
  })

  test('finds an agent that was stopped and started again', async () => {
    const port = await freePort()
    const first = await fakeAgent(sent, { binding, port })
    const client = await connect(first.url, quick())
    await client.sendMessage(hello)
    await first.close()
    await fakeAgent(sent, { binding, port })
    expect(await client.sendMessage(hello)).toEqual({ task })
  })

  test('all operations are tried again', async () => {
    const done = taskIn('TASK_STATE_COMPLETED')
    const { url, methods } = await fakeAgent(
      inTurn(
        drop,
        ({ result }) => result(task),
        drop,
        ({ result }) => result({ tasks: [] }),
        drop,
        ({ result }) => result(canceled),
        drop,
        ({ stream }) => stream().frame({ task: done }).end(),
        drop,
        ({ stream }) => stream().frame({ task: done }).end(),
      ),
      { binding },
    )
    const client = await connect(url, quick())
    expect(await client.getTask('T')).toEqual(task)
    expect((await client.listTasks()).tasks).toEqual([])
    expect(await client.cancelTask('T')).toEqual(canceled)
    expect(await drain(client.subscribeToTask('T'))).toEqual({ got: [{ event: { task: done } }] })
    expect(await drain(client.sendStreamingMessage(hello))).toEqual({ got: [{ event: { task: done } }] })
    const twice = ['GetTask', 'ListTasks', 'CancelTask', 'SubscribeToTask', 'SendStreamingMessage']
    expect(methods()).toEqual(twice.flatMap((method) => [method, method]))
  })

  test('a cancel whose answer was lost finds its task canceled', async () => {
    const late = ({ error }: Exchange) => error('TaskNotCancelableError')
    const { url } = await fakeAgent(
      inTurn(drop, late, ({ result }) => result(canceled)),
      { binding },
    )
    expect(await (await connect(url, quick())).cancelTask('T')).toEqual(canceled)
  })

  test('a cancel that comes too late is an error', async () => {
    const late = ({ error }: Exchange) => error('TaskNotCancelableError')
    const { url, methods } = await fakeAgent(late, { binding })
    const client = await connect(url, quick())
    await expect(client.cancelTask('T')).rejects.toMatchObject({ name: 'TaskNotCancelableError' })
    expect(methods()).toEqual(['CancelTask'])

    const done = ({ result }: Exchange) => result(taskIn('TASK_STATE_COMPLETED'))
    const other = await connect((await fakeAgent(inTurn(drop, late, done), { binding })).url, quick())
    await expect(other.cancelTask('T')).rejects.toMatchObject({ name: 'TaskNotCancelableError' })
  })

  test('an observer hears of each message before it is sent and after its answer', async () => {
    const heard: string[] = []
    const { url } = await fakeAgent(
      (exchange) => {
        heard.push(`agent got ${exchange.method}`)
        if (heard.length === 2) return exchange.reset()
        if (exchange.method === 'SendMessage') return exchange.result({ task })
        exchange.stream().frame({ task }).frame(statusOf('TASK_STATE_COMPLETED')).end()
      },
      { binding },
    )
    const observe = (moment: string, method: string) => heard.push(`${moment} ${method}`)
    const client = await connect(url, quick({ observe }))
    await client.sendMessage(hello)
    await drain(client.subscribeToTask('T'))
    expect(heard).toEqual([
      'send SendMessage',
      'agent got SendMessage',
      'send SendMessage',
      'agent got SendMessage',
      'reply SendMessage',
      'send SubscribeToTask',
      'agent got SubscribeToTask',
      'reply SubscribeToTask',
    ])
  })
})

describe('a lazy agent', () => {
  test('connects on its first call, and knows its name from then on', async () => {
    const { url } = await fakeAgent(sent)
    const agent = lazyAgent(url, { name: 'reviewer', ...quick() })
    expect([agent.name, agent.url]).toEqual(['reviewer', url])
    expect(await agent.sendMessage(hello)).toEqual({ task })
    expect(agent.name).toBe('fake')
    expect((await agent.card()).name).toBe('fake')
  })

  test('is found when it starts later', async () => {
    const port = await freePort()
    const agent = lazyAgent(`http://127.0.0.1:${port}`, quick({ retry: { attempts: 2 } }))
    expect(agent.name).toBe(`127.0.0.1:${port}`)
    await expect(agent.getTask('T')).rejects.toThrow(GaveUpError)
    await fakeAgent(({ result }) => result(task), { port })
    expect(await agent.getTask('T')).toEqual(task)
  })

  test('watches, cancels, and stops connecting at an abort', async () => {
    const { url } = await fakeAgent(({ method, result, stream }) =>
      method === 'CancelTask' ? result(canceled) : stream().frame({ task: canceled }).end(),
    )
    const agent = lazyAgent(url)
    expect((await drain(agent.watch('T'))).got).toEqual([{ event: { task: canceled }, task: canceled }])
    expect(await agent.cancelTask('T')).toEqual(canceled)

    const away = lazyAgent(`http://127.0.0.1:${await freePort()}`)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(away.getTask('T', { signal })).rejects.toThrow('enough')
  })

  test('refuses an address that can be none before any call', () => {
    expect(() => lazyAgent('localhost:41242')).toThrow(CardError)
  })
})
