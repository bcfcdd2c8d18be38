import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fakeAgent } from './src/testing/fake-agent.ts'
import { statusOf, taskIn } from './src/testing/fixtures.ts'

const example = new URL('example.ts', import.meta.url)

test('the README shows the example as it is', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${await readFile(example, 'utf8')}\`\`\``)
})

test('the example sends the text and tells the states to the end', async () => {
  const task = taskIn('TASK_STATE_SUBMITTED')
  const { url, exchanges } = await fakeAgent(({ method, result, stream }) =>
    method === 'SendMessage'
      ? result({ task })
      : stream().frame({ task }).frame(statusOf('TASK_STATE_COMPLETED')).end(),
  )
  const args = ['--import', 'tsx', fileURLToPath(example), url, 'Hello.']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  expect(stdout).toBe('fake: TASK_STATE_SUBMITTED \nfake: TASK_STATE_COMPLETED \n')
  expect(exchanges[0]?.params.message?.parts).toEqual([{ text: 'Hello.' }])
})
