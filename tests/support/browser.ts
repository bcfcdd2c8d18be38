// A headless Chromium for the tests of a file, where there is one: it is not brought along. `CHROMIUM_PATH` says where it is.
import { accessSync, constants } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { beforeAll, describe, onTestFinished } from 'vitest'

const usual = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(
  (name) => `/usr/bin/${name}`,
)
const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const { CHROMIUM_PATH, CI } = process.env

const executablePath = CHROMIUM_PATH ?? [...usual, mac].find(isExecutable)
const missing = 'there is no Chromium: install one, or say by CHROMIUM_PATH where it is'

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Names that lead to this machine in the browser, as names of others can. */
export const foreignNames = ['evil.example', 'rebound.example']

/** Tests in a browser. Without one they are skipped, and say why; where `CI` is set they fail. */
export function describeInBrowser(title: string, tests: (open: OpenPage) => void): void {
  if (!executablePath && CI) throw new Error(missing)
  describe.skipIf(!executablePath)(executablePath ? title : `${title} (skipped: ${missing})`, () => {
    let browser: Browser
    beforeAll(async () => {
      const map = foreignNames.map((name) => `MAP ${name} 127.0.0.1`).join(', ')
      // Newer ones keep pages of others from this machine by themselves: here it is the agent that must.
      const unguarded = '--disable-features=LocalNetworkAccessChecks'
      const args = ['--no-sandbox', '--disable-gpu', unguarded, `--host-resolver-rules=${map}`]
      browser = await chromium.launch({ executablePath: executablePath!, args })
      return () => browser.close()
    })
    tests(async (options = {}) => {
      const context = await browser.newContext({ javaScriptEnabled: false, ...options })
      onTestFinished(() => context.close())
      return context.newPage()
    })
  })
}

/** Opens a page of its own, without JavaScript unless `options` say otherwise. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>
