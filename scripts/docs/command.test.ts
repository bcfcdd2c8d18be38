import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../kit.ts'
import { check, runDocs } from './command.ts'
import { figures } from './figures.ts'

const page = [
  '# A page',
  '',
  '<!-- snippet 06 ex01 answer result.task.status only: state -->',
  '<!-- /snippet -->',
  '',
  '<!-- snippet 07 ex01 frame 6 result.statusUpdate.status only: timestamp -->',
  '<!-- /snippet -->',
  ...figures.flatMap(({ name }) => ['', `<!-- figure ${name} -->`, '<!-- /figure -->']),
  '',
].join('\n')

/** A project of one page, as `npm run docs` leaves it. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, 'capture/out'), join(folder, 'capture/out'), { recursive: true })
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/page.md'), page)
  expect(runDocs([], folder)).toBe(0)
  return {
    folder,
    check: () => check(folder),
    change(file: string, from: string | RegExp, to: string) {
      const text = readFileSync(join(folder, file), 'utf8')
      expect(text.replace(from, to), `${from} in ${file}`).not.toBe(text)
      writeFileSync(join(folder, file), text.replace(from, to))
    },
  }
}

const clean = { differences: [], problems: [] }

describe('npm run docs -- --check', () => {
  test('finds the documentation to be what the captures give', () => {
    expect(check(root)).toEqual(clean)
  })

  test('finds nothing where npm run docs has just been', () => {
    expect(project().check()).toEqual(clean)
  })

  test('names page and line where a capture has changed', () => {
    const { check, change } = project()
    change(
      'capture/out/06-input-required.http',
      '#         "state": "TASK_STATE_INPUT_REQUIRED"',
      '#         "state": "TASK_STATE_WORKING"',
    )
    const [difference] = check().differences
    expect(difference).toMatch(/^docs\/page\.md:7: this is not what the captures give:/)
    expect(difference).toContain(
      '-  "state": "TASK_STATE_INPUT_REQUIRED",\n+  "state": "TASK_STATE_WORKING",',
    )
  })

  test('names page and line where somebody typed into a region', () => {
    const { check, change } = project()
    change('docs/page.md', '"timestamp": "2026', '"timestamp": "2027')
    expect(check().differences).toEqual([expect.stringMatching(/^docs\/page\.md:\d\d: /)])
  })

  test('says which frame is missing', () => {
    const { folder, check, change } = project()
    const file = 'capture/out/07-auth-required.events.json'
    const events = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    events.frames.pop()
    writeFileSync(join(folder, file), JSON.stringify(events))
    expect(check().problems).toEqual([
      expect.stringMatching(
        /^capture\/out\/07-auth-required\.http:\d+: 6 frames are counted here, and .* has 5/,
      ),
    ])
    change('capture/out/07-auth-required.http', 'frames=6', 'frames=5')
    expect(check().problems).toContainEqual(
      expect.stringMatching(/^docs\/page\.md:\d\d: There is no frame 6 of ex01/),
    )
  })

  test('names page and line of a marker that leads nowhere', () => {
    const { check, change } = project()
    change('docs/page.md', '06 ex01 answer', '06 ex09 answer')
    expect(check().problems).toEqual([
      'docs/page.md:3: There is no ex09 in 06-input-required. There is: ex01, ex02.',
    ])
  })

  test('finds a figure that is missing, stale, or on no page', () => {
    const { folder, check, change } = project()
    const [svg] = readdirSync(join(folder, 'docs/figures'))
    change(`docs/figures/${svg}`, '</svg>', '<!-- by hand --></svg>')
    expect(check().differences).toEqual([expect.stringMatching(`docs/figures/${svg}:\\d+: this is not what`)])
    rmSync(join(folder, 'docs/figures', svg!))
    expect(check().differences).toEqual([`docs/figures/${svg}:1: This figure is missing.`])
    runDocs([], folder)
    writeFileSync(join(folder, 'docs/figures/99-old.svg'), '<svg/>')
    expect(check().problems).toEqual(['docs/figures/99-old.svg:1: No page shows this figure.'])
    runDocs([], folder)
    expect(check()).toEqual(clean)
  })
})
