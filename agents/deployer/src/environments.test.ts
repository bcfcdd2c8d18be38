import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataWithBuilds, lookAt, orderFor } from './test-data.ts'

const [first, second] = ['2026.10.05-2', '2026.10.06-1']

describe('a deploy', () => {
  it('unpacks the build as a release, makes it current and journals it', async () => {
    const { data, environments } = await dataWithBuilds({ now: () => Date.parse('2026-10-06T09:00:02Z') })
    const order = await orderFor(data, second)
    const line = await environments.deploy(order)
    const release = line.release.split('/').at(-1)
    expect(line).toEqual({
      build: second,
      environment: 'staging',
      checksum: order.checksum,
      previousBuild: null,
      approvedBy: 'operator',
      approvedAt: '2026-10-06T09:00:01.000Z',
      deployedAt: '2026-10-06T09:00:02.000Z',
      release: `environments/staging/releases/${release}`,
      taskId: order.taskId,
      idempotencyKey: order.idempotencyKey,
    })
    expect(await lookAt(data)).toEqual({
      current: release,
      releases: [release],
      names: ['current', 'journal.jsonl', 'releases'],
      journal: [line],
    })
    const current = join(data, 'environments/staging/current')
    expect(await readFile(join(current, 'src/routes/pay.js'), 'utf8')).toBe('export const pay = () => 402\n')
  })

  it('says which build was there before, and keeps its release', async () => {
    const { data, environments } = await dataWithBuilds()
    await environments.deploy(await orderFor(data, first))
    expect((await environments.deploy(await orderFor(data, second))).previousBuild).toBe(first)
    const { current, releases } = await lookAt(data)
    expect(releases).toHaveLength(2)
    expect(current).toMatch(second)
  })

  it('is done once for a key, with the same result', async () => {
    const { data, environments } = await dataWithBuilds()
    const order = await orderFor(data, first)
    const line = await environments.deploy(order)
    await environments.deploy(await orderFor(data, second))
    expect(await environments.deploy(order)).toEqual(line)
    const { current, journal } = await lookAt(data)
    expect(current).toMatch(second)
    expect(journal).toHaveLength(2)
  })

  it('of the same build with another key is another deploy', async () => {
    const { data, environments } = await dataWithBuilds()
    await environments.deploy(await orderFor(data, first))
    const again = await environments.deploy(await orderFor(data, first, { idempotencyKey: 'another' }))
    expect(again.previousBuild).toBe(first)
    expect((await lookAt(data)).releases).toHaveLength(2)
  })

  it('waits for another one to the same environment', async () => {
    const { data, environments } = await dataWithBuilds()
    const orders = await Promise.all([first, second, first, second].map((build) => orderFor(data, build)))
    orders[2]!.idempotencyKey = 'third'
    const lines = await Promise.all(orders.map(environments.deploy))
    expect(lines.map(({ previousBuild }) => previousBuild)).toEqual([null, first, second, first])
    expect(lines[3]).toEqual(lines[1])
    const { journal, current } = await lookAt(data)
    expect(journal).toEqual(lines.slice(0, 3))
    expect(lines[2]!.release).toMatch(current!)
  })

  it('to an environment that is frozen is refused', async () => {
    const { data, environments } = await dataWithBuilds()
    const order = await orderFor(data, first, { environment: 'production' })
    await expect(environments.deploy(order)).rejects.toThrow(
      'Deploys to production are frozen until 2026-10-12: quarter-end close.',
    )
  })
})

describe('a deploy that cannot be done changes nothing', () => {
  async function withOneDeployed() {
    const all = await dataWithBuilds()
    await all.environments.deploy(await orderFor(all.data, first))
    return { ...all, before: await lookAt(all.data), order: await orderFor(all.data, second) }
  }

  it('when the archive is not what was approved', async () => {
    const { data, environments, before, order } = await withOneDeployed()
    await appendFile(join(data, `builds/${second}.tar.gz`), 'x')
    await expect(environments.deploy(order)).rejects.toThrow(`it should be ${order.checksum}`)
    expect(await lookAt(data)).toEqual(before)
  })

  it('when it is stopped before it begins', async () => {
    const { data, environments, before, order } = await withOneDeployed()
    const signal = AbortSignal.abort(new Error('canceled'))
    await expect(environments.deploy({ ...order, signal })).rejects.toThrow('canceled')
    expect(await lookAt(data)).toEqual(before)
  })

  it('when it is stopped on the way, and can be done later', async () => {
    const { data, environments, before, order } = await withOneDeployed()
    for (const checks of [2, 3]) {
      await expect(environments.deploy({ ...order, signal: abortedAfter(checks) })).rejects.toThrow(
        'canceled',
      )
      expect(await lookAt(data)).toEqual(before)
    }
    expect((await environments.deploy(order)).previousBuild).toBe(first)
  })

  it('when the disk refuses', async () => {
    const { data, environments, before, order } = await withOneDeployed()
    // A file stands where the deploy has to unpack.
    await writeFile(join(data, 'environments/staging/releases/.unpacking'), '')
    await expect(environments.deploy(order)).rejects.toThrow('EEXIST')
    expect(await lookAt(data)).toEqual(before)
    expect((await environments.deploy(order)).previousBuild).toBe(first)
  })
})

describe('the journal', () => {
  it('loses a last line that was cut short, and nothing else', async () => {
    const { data, environments } = await dataWithBuilds()
    const line = await environments.deploy(await orderFor(data, first))
    const path = join(data, 'environments/staging/journal.jsonl')
    await appendFile(path, '{"build":"2026.10.0')
    const next = await environments.deploy(await orderFor(data, second))
    expect(
      (await readFile(path, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text)),
    ).toEqual([line, next])
  })

  it('that is damaged in the middle stops every deploy, and says where', async () => {
    const { data, environments } = await dataWithBuilds()
    await mkdir(join(data, 'environments/staging'), { recursive: true })
    await writeFile(join(data, 'environments/staging/journal.jsonl'), '{}\n{"build"\n{}\n')
    await expect(environments.deploy(await orderFor(data, first))).rejects.toThrow(
      /journal.jsonl: line 2 is not JSON/,
    )
  })

  it('says what a task deployed', async () => {
    const { data, environments } = await dataWithBuilds()
    const order = await orderFor(data, first)
    expect(await environments.deployedBy(order.taskId)).toBeUndefined()
    const line = await environments.deploy(order)
    expect(await environments.deployedBy(order.taskId)).toEqual(line)
    expect(await environments.deployedBy('another')).toBeUndefined()
  })
})

/** A signal that is found aborted when it is looked at for the nth time. */
function abortedAfter(checks: number): AbortSignal {
  const controller = new AbortController()
  let looked = 0
  return Object.assign(controller.signal, {
    throwIfAborted() {
      looked += 1
      if (looked >= checks) throw new Error('canceled')
    },
  })
}
