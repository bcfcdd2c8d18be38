// The pages of the documentation: their commands are run, what they name is there, and every choice has its reason.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captureNamed, nameOf, readCaptures } from '../scripts/docs/library.ts'
import { pagesIn } from '../scripts/docs/pages.ts'
import { root } from '../scripts/kit.ts'
import { freePort } from '../scripts/ports.ts'
import { startChild } from './support/child.ts'
import { oneKit } from './support/kit.ts'
import { blocksOf, run, withOthers } from './support/page.ts'
import { temporaryFolder } from './support/probe.ts'

const kit = oneKit()

const read = (page: string) => readFileSync(join(root, page), 'utf8')
/** Without fenced blocks. */
const prose = (page: string) => read(page).replace(/^(`{3,}).*?^\1$/gms, '')

test('the first steps lead from the card to the end of a task', async () => {
  const { ports } = kit()
  const others = { '/tmp/': `${await temporaryFolder()}/`, 41242: ports['code-reviewer'] }
  const [start, show, ...steps] = blocksOf('docs/first-steps.md', 'sh')
  expect(start!.text).toBe('npm ci\nnpm start\n')
  const printed: unknown[] = []
  for (const step of steps) {
    const { text, place } = withOthers(step, others)
    const shown = await run({ place, text: show!.text + text }).ended
    expect(shown, place).toBe(`${JSON.stringify(JSON.parse(shown), null, 2)}\n`)
    printed.push(JSON.parse(shown))
  }
  const [card, asked, answered, looked] = printed
  expect(printed).toHaveLength(4)
  expect(card).toMatchObject({ name: 'code-reviewer', skills: [{}], capabilities: { streaming: true } })
  expect(asked).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } })
  const { task } = (answered as { result: { task: object } }).result
  expect(task).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: expect.arrayContaining([expect.objectContaining({ name: 'review.json' })]),
  })
  expect(looked).toEqual(task)
})

test('an operator sees that the agents run, and what waits', async () => {
  const { ports, dataDir } = kit()
  const others = { 41241: ports.planner, 41242: ports['code-reviewer'], 41243: ports.deployer }
  const [health, _alone, _tls, waiting, audit] = blocksOf('docs/operating.md', 'sh').map((block) =>
    withOthers(block, others),
  )
  expect((await run(health!).ended).match(/"ok"/g)).toHaveLength(3)
  expect(JSON.parse(await run(waiting!).ended)).toEqual({ agent: 'deployer', requests: [] })
  expect(await run(audit!, { DATA_DIR: dataDir }).ended).toContain('scripts/audit.ts')
})

test('one agent alone is run as the page says, with the address that it is given', async () => {
  const { text } = blocksOf('docs/operating.md', 'sh')[1]!
  const [, variables, main] = /^(.*) npm run agent -- (\S+)\n$/.exec(text)!
  const env = Object.fromEntries(variables!.split(' ').map((one) => one.split('=')))
  const port = await freePort()
  const places = { PUBLIC_URL: env.PUBLIC_URL.replace(env.PORT, port), GRPC_PORT: '0' }
  expect(Object.keys(env)).toEqual(['DATA_DIR', 'PORT', ...Object.keys(places).reverse()])
  const { url } = await startChild({ main: main!, env: places }, port)
  const card = await (await fetch(`${url}/.well-known/agent-card.json`)).json()
  expect(card).toMatchObject({ name: 'deployer', url: `${places.PUBLIC_URL}/a2a` })
})

test('each choice that the captures show has its reason among the choices, under the same name', () => {
  const firstCells = (text: string) => [...text.matchAll(/^\| (.+?) +\|/gm)].map(([, cell]) => cell!)
  const shown = firstCells(read('capture/README.md').split("## The kit's choices")[1]!).filter(
    (cell) => cell !== 'choice' && !cell.startsWith('---'),
  )
  expect(shown.length).toBeGreaterThan(5)
  const reasons = firstCells(read('docs/choices.md'))
  expect(shown.filter((choice) => !reasons.includes(choice))).toEqual([])
})

test('every exchange that a page names beside a capture is in that capture', () => {
  const captures = readCaptures(root)
  const wrong = pagesIn(root).flatMap((page) =>
    [...prose(page).matchAll(/out\/(\d\d-[\w-]+)\.http\),?((?:,? ex\d\d)+)/g)].flatMap(([, name, list]) =>
      list!.match(/ex\d\d/g)!.flatMap((word) => {
        const found = captureNamed(captures, name!).exchanges.some((exchange) => nameOf(exchange) === word)
        return found ? [] : [`${page}: ${name} ${word}`]
      }),
    ),
  )
  expect(wrong).toEqual([])
})

test('every check of the threat model has a test, by words of its title', () => {
  const cells = [...read('docs/threat-model.md').matchAll(/^\|.*\| (\[.*) \|$/gm)].map(([, cell]) =>
    cell!.trim(),
  )
  expect(cells.length).toBeGreaterThan(25)
  const wrong = cells
    .flatMap((cell) => cell.split(/; (?=\[)/))
    .filter((one) => {
      const [, file = '', words = ''] = /^\[[\w-]+\]\(\.\.\/(\S+\.test\.ts)\): (.{14,})$/.exec(one) ?? []
      return !words || !read(file).includes(words)
    })
  expect(wrong).toEqual([])
})
