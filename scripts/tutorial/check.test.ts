import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareKit } from '../../tests/support/kit.ts'
import { temporaryFolder } from '../../tests/support/probe.ts'
import { check } from './check.ts'
import { captureFolder } from './library.ts'

const question = '06-input-required'
const approval = '07-auth-required'
const questionFile = `${question}.http`
const approvalFile = `${approval}.http`
const framesFile = `${approval}.events.json`

const kit = shareKit()

const original = (file: string) => readFileSync(join(captureFolder, file), 'utf8')

/** What the check says of captures of which `files` are other than they are. */
async function verdict(names: string[], files: Record<string, string> = {}): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(captureFolder, folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  await check(names, { folder, env: kit(), say, patience: 3000 }).catch((error: Error) => say(error.message))
  return lines.join('\n')
}

/** `file:line` of where `words` are in `text` for the first time. */
function placeOf(file: string, words: string | RegExp, text = original(file)): string {
  const at = text.search(words)
  expect(at, `"${words}" in ${file}`).toBeGreaterThan(-1)
  return `${file}:${text.slice(0, at).split('\n').length}: `
}

/** The frames of 07 without the one with this index, and the file that counts them. */
function without(index: number): Record<string, string> {
  const all = JSON.parse(original(framesFile)) as { frames: unknown[] }
  all.frames.splice(index, 1)
  return {
    [framesFile]: JSON.stringify(all, null, 2),
    [approvalFile]: original(approvalFile).replace('frames=6', 'frames=5'),
  }
}

test('the captures of both waits hold, also when they are played again', async () => {
  for (let time = 0; time < 2; time++) {
    expect((await verdict([question, approval])).split('\n')).toEqual([
      expect.stringMatching(/^ok {2}06-input-required, 2 exchanges\. Played against the agents that run/),
      expect.stringMatching(/^ok {2}07-auth-required, 2 exchanges\. Played against the agents that run/),
    ])
  }
})

test.each<[string, string, string, RegExp, string]>([
  ['a renamed field', question, questionFile, /"baseCommit"/, '"commit"'],
  ['a changed number', question, questionFile, /"additions": 1/, '"additions": 2'],
  ['a changed text', question, questionFile, /"text": "Which base/, '"text": "Which'],
  [
    'another state',
    question,
    questionFile,
    /"state": "TASK_STATE_COMPLETED/,
    '"state": "TASK_STATE_REJECTED',
  ],
  ['another header', question, questionFile, /content-type: application\/json/, 'content-type: text/plain'],
  [
    'another state of a frame',
    approval,
    framesFile,
    /"state": "TASK_STATE_AUTH/,
    '"state": "TASK_STATE_INPUT',
  ],
  ['a frame with another id', approval, framesFile, /"id": "5"/, '"id": "7"'],
  [
    'a task with another id than before',
    approval,
    framesFile,
    /"taskId": "ecf2dcb6(?=[^}]*"contextId": "[\w-]*",\s*"status": \{\s*"state": "TASK_STATE_WORKING",\s*"timestamp)/,
    '"taskId": "00000000',
  ],
])('%s is found', async (_, name, file, before, after) => {
  const changed = original(file).replace(before, after)
  expect(changed).not.toBe(original(file))
  expect(await verdict([name], { [file]: changed })).toContain(placeOf(file, before))
})

test('another status is found, with what came', async () => {
  const changed = original(questionFile)
    .replace('<<< 01 200', '<<< 01 201')
    .replace('HTTP/1.1 200', 'HTTP/1.1 201')
  const said = await verdict([question], { [questionFile]: changed })
  expect(said).toContain(placeOf(questionFile, '<<< 01 200'))
  expect(said).toContain('recorded  "201"\n  came      "200"')
})

test('a request that gets no answer is found', async () => {
  const changed = original(questionFile).replace('POST {{base}}/a2a', 'POST http://localhost:1/a2a')
  const said = await verdict([question], { [questionFile]: changed })
  expect(said).toContain(placeOf(questionFile, /POST /))
  expect(said).toContain('got no answer')
})

test('DOCS-COMPARED-TO-THEMSELVES: a field that does not come is found where it stands, and one that is added where it was added to', async () => {
  const field = /# +"role": "ROLE_AGENT",\n/
  const added = original(questionFile).replace(field, (line) => line + line.replace('role', 'more'))
  const said = await verdict([question], { [questionFile]: added })
  expect(said).toContain(placeOf(questionFile, /# +"more"/, added))
  expect(said).toContain('came      nothing')

  const removed = original(questionFile).replace(field, '')
  const then = await verdict([question], { [questionFile]: removed })
  expect(then).toContain(placeOf(questionFile, /# +"message": \{\n#/, removed))
  expect(then).toContain('recorded  nothing\n  came      "ROLE_AGENT"')
})

test('DOCS-COMPARED-TO-THEMSELVES: a deleted frame is found, the last one too', async () => {
  const middle = without(3)
  expect(await verdict([approval], middle)).toContain(
    placeOf(framesFile, /"artifactUpdate"|(?<="id": )"5"/, middle[framesFile]),
  )
  const last = await verdict([approval], without(5))
  expect(last).toContain(placeOf(approvalFile, '<<< 01'))
  expect(last).toContain('recorded  "5 frames"\n  came      "6 frames"')
})
