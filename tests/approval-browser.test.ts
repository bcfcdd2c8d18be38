// The operator's pages in a browser without JavaScript: read, decided by keyboard, signed in to, on a phone and in the dark.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ask, asking } from './support/asking-agent.ts'
import { describeInBrowser } from './support/browser.ts'
import { ended, operate, shown } from './support/operator.ts'
import { shareProbe } from './support/shared-probe.ts'
import { untilState } from './support/wait.ts'

const ada = { username: 'ada', password: 'ada-0123456789-abc' }
const open = shareProbe({ agent: asking })
/** Of a caller, and with a card, that have long names. */
const token = 'caller-0123456789'
const name = 'n'.repeat(120)
const named = shareProbe({
  agent: asking,
  callerTokens: { [name]: token },
  operators: { callerCards: { [name]: `http://localhost:1/${'c'.repeat(200)}` } },
})
const guarded = shareProbe({ agent: asking, operators: { tokens: { ada: ada.password } } })

/** Presses Tab until the element that has the focus is the one with `name`, and holds that the focus is seen on each. */
async function tabTo(page: Page, name: string): Promise<string[]> {
  const passed: string[] = []
  for (let nth = 0; nth < 15; nth++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate<{ name: string; outline: number }>(focused)
    expect(seen.outline, `the focus on ${seen.name}`).toBeGreaterThanOrEqual(2)
    passed.push(seen.name)
    if (seen.name === name) return passed
  }
  throw new Error(`Tab never came to ${name}, but to ${passed.join(', ')}`)
}

const textIn = (page: Page, where = 'main') => page.locator(where).textContent()

describeInBrowser('in Chromium', (newPage) => {
  test('a request is read and approved by keyboard alone, what is asked before what decides', async () => {
    const id = await ask(open.probe, { pause: 'before' })
    const page = await newPage()
    const posts: string[] = []
    page.on('request', (one) => one.method() === 'POST' && posts.push(one.url()))
    await page.goto(`${open.probe.url}/approve/${id}`)
    expect(await textIn(page, 'h1')).toBe('test-agent asks for your approval')
    expect(await tabTo(page, 'Deny')).toEqual([
      'The words of the agent',
      'All that waits here',
      'Approve',
      'Reason, if you deny',
      'Deny',
    ])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:has-text("Approved")')
    await untilState(open.probe, id, 'INPUT_REQUIRED')
    const { digest, ...approved } = await shown(open.probe, id)
    expect(approved).toMatchObject({ outcome: 'approved', decidedBy: 'operator' })
    expect(page.url()).toBe(`${open.probe.url}/approve/${id}?digest=${digest}`)
    await page.reload()
    expect(await textIn(page, 'h1')).toBe('Approved, and not used yet')
    expect(posts).toEqual([`${open.probe.url}/approve/${id}`])
  })

  test('Enter in the field of the reason denies, with that reason', async () => {
    const id = await ask(open.probe)
    const page = await newPage()
    await page.goto(`${open.probe.url}/approve/${id}`)
    await tabTo(page, 'Reason, if you deny')
    await page.keyboard.type('Not on a <Friday>.')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:text-is("Denied")')
    expect(await shown(open.probe, id)).toMatchObject({ outcome: 'denied', reason: 'Not on a <Friday>.' })
    expect(await textIn(page)).toContain('Not on a <Friday>.')
  })

  test('from the list to a request, approved and revoked', async () => {
    const id = await ask(open.probe, { operation: { deploy: 'to be revoked' }, pause: 'before' })
    const page = await newPage()
    await page.goto(`${open.probe.url}/approve?limit=100`)
    await page.click('text=to be revoked')
    await page.click('button:has-text("Approve")')
    await page.waitForSelector('h1:has-text("Approved")')
    await page.fill('input[name=reason]', 'wrong build')
    await page.click('button:has-text("Revoke")')
    await page.waitForSelector('h1:text-is("Revoked")')
    expect(await shown(open.probe, id)).toMatchObject({ outcome: 'revoked', reason: 'wrong build' })
  })

  test('who decides on a page that is out of date is told how it stands, and gets on from there', async () => {
    const id = await ask(open.probe)
    const page = await newPage()
    await page.goto(`${open.probe.url}/approve/${id}`)
    await operate(open.probe, 'deny', id, { reason: 'Not on a Friday.' })
    await ended(open.probe, id)
    await page.click('button:has-text("Approve")')
    await page.waitForSelector('h1:text-is("Nothing was decided")')
    expect(await textIn(page, '.standing')).toMatch(/It was denied by operator on .* The task was rejected\./)
    await page.click('text=The request as it stands')
    expect(await textIn(page, 'h1')).toBe('Denied')
  })

  test('leaving the page decides nothing', async () => {
    const id = await ask(open.probe)
    const page = await newPage()
    await page.goto(`${open.probe.url}/approve/${id}`)
    await page.click('text=All that waits here')
    await page.goBack()
    expect((await shown(open.probe, id)).waiting).toBe(true)
  })

  test('an operator signs in with name and token, and decides under that name', async () => {
    const id = await ask(guarded.probe)
    const address = `${guarded.probe.url}/approve/${id}`
    // A browser that nobody sits at gives up where it would ask for name and token.
    await expect((await newPage()).goto(address)).rejects.toThrow('ERR_INVALID_AUTH_CREDENTIALS')
    const page = await newPage({ httpCredentials: ada })
    await page.goto(address)
    await page.click('button:has-text("Approve")')
    await page.waitForSelector('text=It was approved by ada on')
  })

  test('on each screen, light and dark, approve and deny are in sight, nothing is cut off, and all can be read', async () => {
    const operation = { target: 'x'.repeat(400), ['y'.repeat(120)]: { deep: ['z'.repeat(300)] } }
    const words = `${'w'.repeat(500)}\n${'line\n'.repeat(60)}`
    const page = await newPage()
    for (const address of [
      `${open.probe.url}/approve/${await ask(open.probe)}`,
      `${open.probe.url}/approve/${await ask(open.probe, { operation, words })}`,
      `${named.probe.url}/approve/${await ask(named.probe, {}, { token })}`,
    ]) {
      await page.goto(address)
      for (const [width, height] of screens) {
        await page.setViewportSize({ width, height })
        const screen = `${width} × ${height}`
        for (const name of ['Approve', 'Deny']) {
          const box = (await page.locator(`button:has-text("${name}")`).boundingBox())!
          expect(box.x >= 0 && box.x + box.width <= width, `${name} at ${screen}`).toBe(true)
          expect(box.y >= 0 && box.y + box.height <= height, `${name} at ${screen}`).toBe(true)
          expect(box.height, `${name} for a finger`).toBeGreaterThanOrEqual(44)
        }
        expect(await page.evaluate('document.documentElement.scrollWidth'), screen).toBeLessThanOrEqual(width)
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate(leastContrast), colorScheme).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

const screens = [
  [320, 568],
  [390, 844],
  [800, 700],
  [1280, 800],
] as const

/** Runs in the page: what has the focus, and how thick the line around it is. */
const focused = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? ''
  return { name: (name || element.textContent).trim(), outline: outlineStyle === 'none' ? 0 : parseFloat(outlineWidth) }
})()`

/** Runs in the page: the least contrast that a text of it has against what is behind it, as WCAG computes it. */
const leastContrast = `(() => {
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [r, g, b] = rgb(color).map((one) => one / 255).map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (rgb(backgroundColor)[3] !== 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const texts = [...document.querySelectorAll('main *')].filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  return Math.min(...texts.map((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x)
    return (a + 0.05) / (b + 0.05)
  }))
})()`
