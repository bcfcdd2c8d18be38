import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createScreen } from './screen.ts'

/** A screen on a terminal of so many columns, and the lines on it. */
function terminal(columns: number) {
  const out = Object.assign(new PassThrough(), { isTTY: true, columns }) as unknown as NodeJS.WriteStream
  let text = ''
  out.on('data', (data) => {
    text += data
  })
  const screen = createScreen(out)
  onTestFinished(screen.end)
  return { screen, lines: () => text.replace(/\u001b\[[0-9;]*[mK]|\r/g, '').split('\n') }
}

test('prose is broken between words, below where it began', () => {
  const { screen, lines } = terminal(60)
  screen.heading('The approval arrives outside of A2A, and covers exactly this deployment, once:')
  screen.say('  deployer  http://localhost:41243  deploys a build that an operator has approved')
  expect(lines()).toEqual([
    '',
    'The approval arrives outside of A2A, and covers exactly this',
    'deployment, once:',
    '  deployer  http://localhost:41243  deploys a build that an',
    '                                    operator has approved',
    '',
  ])
})

test('what may be copied is not broken', () => {
  const { screen, lines } = terminal(60)
  const command = `  with curl  curl -X POST http://localhost:41243/approve/${'0'.repeat(36)}`
  screen.command(command)
  expect(lines()).toEqual([command, ''])
})

test('what happened before a question stands above it, and what comes while it is open waits', async () => {
  const { screen, lines } = terminal(100)
  const begun = Date.now()
  const tell = (text: string, at: number) => screen.line({ at: begun + at, who: 'planner', text })
  tell('asks', 2)
  const asked = screen.asking(async () => {
    screen.say('Your answer:')
    tell('works', 3)
    screen.say('main')
  })
  tell('began', 1) // from another agent, and late
  await asked
  screen.end()
  expect(lines().map((line) => line.split(' ').at(-1))).toEqual([
    'began',
    'asks',
    'answer:',
    'main',
    'works',
    '',
  ])
})
