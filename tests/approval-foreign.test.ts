// In a browser, pages of others decide nothing for the operator who looks at them: forms, frames, redirects, prefetches, turned names.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { ask, asking } from './support/asking-agent.ts'
import { describeInBrowser, foreignNames } from './support/browser.ts'
import { shown } from './support/operator.ts'
import { shareProbe } from './support/shared-probe.ts'

const [evil, rebound] = foreignNames
const shared = shareProbe({ agent: asking })
const anyPage = { javaScriptEnabled: true }

/** A site of somebody else, under a name of theirs, and under this machine's on a port of its own. */
async function site(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return [`http://${evil}:${port}`, `http://localhost:${port}`]
}

const htmlPage =
  (body: string): RequestListener =>
  (_, response) =>
    void response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>x</title>${body}`)

/** The status of the agent's answer to the first `method` that the page sends it while `act` goes on. */
async function answered(page: Page, method: string, act: () => Promise<unknown>): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse(
      (one) => one.request().method() === method && one.url().startsWith(shared.probe.url),
    ),
    act(),
  ])
  return response.status()
}

const stillWaits = async (id: string) =>
  expect(await shown(shared.probe, id)).toMatchObject({ waiting: true })

describeInBrowser('in Chromium', (newPage) => {
  test.each(['approve', 'deny'])('a form of another site that sends itself does not %s', async (verb) => {
    const id = await ask(shared.probe)
    const target = `${shared.probe.url}/${verb}/${id}`
    const form = `<form method="post" action="${target}"></form><script>document.forms[0].submit()</script>`
    const page = await newPage(anyPage)
    for (const origin of await site(htmlPage(form))) {
      expect(await answered(page, 'POST', () => page.goto(origin))).toBe(403)
    }
    await stillWaits(id)
  })

  test('nor does a form that is led here by a redirect, which keeps the method', async () => {
    const id = await ask(shared.probe)
    const target = `${shared.probe.url}/approve/${id}`
    const form = `<form method="post" action="/on"></form><script>document.forms[0].submit()</script>`
    const [origin] = await site((request, response) => {
      if (request.url === '/on') response.writeHead(307, { Location: target }).end()
      else htmlPage(form)(request, response)
    })
    const page = await newPage(anyPage)
    expect(await answered(page, 'POST', () => page.goto(origin!))).toBe(403)
    await stillWaits(id)
  })

  test('nor does a script of another site, which cannot read what is asked either', async () => {
    const id = await ask(shared.probe)
    const target = `${shared.probe.url}/approve/${id}`
    const page = await newPage(anyPage)
    for (const origin of await site(htmlPage(''))) {
      await page.goto(origin)
      const post = `fetch('${target}', { method: 'POST', mode: 'no-cors', headers: { 'Content-Type': 'text/plain' }, body: '{}' })`
      const sent = page.waitForRequest((one) => one.method() === 'POST' && one.url() === target)
      await page.evaluate(`${post}.catch(() => {}).then(() => 1)`)
      await sent
      const read = `fetch('${target}').then((answer) => answer.text(), () => 'nothing')`
      expect(await page.evaluate(read)).toBe('nothing')
    }
    await stillWaits(id)
  })

  test('the page is shown in no frame of another site, where a click could be stolen', async () => {
    const id = await ask(shared.probe)
    const page = await newPage(anyPage)
    const [origin] = await site(htmlPage(`<iframe src="${shared.probe.url}/approve/${id}"></iframe>`))
    expect(await answered(page, 'GET', () => page.goto(origin!))).toBe(200)
    const [, frame] = page.frames()
    expect(await frame!.locator('button').count()).toBe(0)
    await stillWaits(id)
  })

  test('a name that was turned to the agent reads nothing and decides nothing', async () => {
    const id = await ask(shared.probe)
    const page = await newPage(anyPage)
    const origin = `http://${rebound}:${shared.probe.port}`
    // What was loaded before the name was turned; from now on it leads to the agent, as the same origin.
    await page.route(`${origin}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }),
    )
    await page.goto(`${origin}/`)
    const tries = ['/approve', `/approve/${id}`, '/a2a/tasks', '/.well-known/agent-card.json'].map((path) => [
      path,
      'GET',
    ])
    for (const [path, method] of [
      ...tries,
      [`/approve/${id}`, 'POST'],
      [`/deny/${id}`, 'POST'],
      ['/a2a', 'POST'],
    ]) {
      const answer = `fetch('${path}', { method: '${method}' }).then(async (one) => [one.status, await one.text()])`
      const [status, text] = await page.evaluate<[number, string]>(answer)
      expect([path, status, text.includes(id)]).toEqual([path, 421, false])
    }
    await stillWaits(id)
  })

  test('what a page has the browser load ahead decides nothing', async () => {
    const id = await ask(shared.probe)
    const { url } = shared.probe
    const links = ['approve', 'deny', 'revoke'].flatMap((verb) => [
      `<link rel="prefetch" href="${url}/${verb}/${id}">`,
      `<img src="${url}/${verb}/${id}">`,
    ])
    const page = await newPage(anyPage)
    const loaded: string[] = []
    page.on('requestfinished', (request) => void loaded.push(`${request.method()} ${request.url()}`))
    page.on('requestfailed', (request) => void loaded.push(`${request.method()} ${request.url()}`))
    const [origin] = await site(htmlPage(links.join('')))
    await page.goto(origin!, { waitUntil: 'networkidle' })
    expect(loaded).toContain(`GET ${url}/approve/${id}`)
    await stillWaits(id)
  })
})
