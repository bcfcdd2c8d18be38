import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from './log.ts'

/** The text of a log that `write` writes to. */
function logged(format: 'json' | 'pretty', write: (log: ReturnType<typeof createLog>) => void): string {
  const texts: string[] = []
  const destination = { write: (text: string) => void texts.push(text) }
  write(createLog({ name: 'test', level: 'trace', format, destination }))
  return texts.join('')
}

const forged = 'evil\r\n{"level":30,"msg":"forged"}\n[12:00:00] INFO: forged'
const steering = '\u001b[2J\u009b2J\u202eabc\u2028\u0007'

test('what a user wrote is one line of JSON, without a character that a terminal obeys', () => {
  const text = logged('json', (log) => {
    log.info({ taskId: forged + steering, deep: { text: steering } }, forged + steering)
    log.error({ err: new Error(forged + steering) }, 'failed')
  })
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0]!)).toMatchObject({ msg: forged + steering, taskId: forged + steering })
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
})

test('lines for people cannot be forged or steer the terminal either', () => {
  const text = logged('pretty', (log) => {
    log.info({ taskId: forged + steering, deep: { text: steering } }, forged + steering)
    log.error({ err: new Error(forged + steering) }, 'failed')
  })
  const begun = text.split('\n').filter((line) => /^\S/.test(line))
  expect(begun.map((line) => line.slice(10).replace(/^ /, '').slice(0, 13))).toEqual([
    'INFO (test): ',
    'ERROR (test):',
  ])
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
  expect(text).toContain('evil\\r\\n{"level":30')
  expect(text).toContain('\\u001b[2J')
})

test.each(['json', 'pretty'] as const)(
  'secrets do not get into a log in %s, wherever they stand',
  (format) => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln'
    const text = logged(format, (log) => {
      log.info(
        { token: 's3cret-1', headers: { authorization: 's3cret-2' }, config: { credentials: 's3cret-3' } },
        'a',
      )
      log.info(
        `Authorization: Bearer s3cret-4, then "bearer s3cret-5" and ${jwt} at https://me:s3cret-6@x.example/`,
      )
      log.error(
        { err: Object.assign(new Error('Bearer s3cret-7'), { headers: { authorization: 's3cret-8' } }) },
        'b',
      )
      log.warn({ before: Object.assign(new Error('c'), { password: 's3cret-9' }) }, 'c')
    })
    expect(text).not.toMatch(/s3cret/)
    expect(text).not.toContain(jwt)
    expect(text).toContain('[redacted]@x.example')
    if (format === 'json')
      for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  },
)

test.each([
  ['an address without an end', `//${':a'.repeat(500_000)}`],
  ['a bearer without a token', `bearer${' '.repeat(1_000_000)}`],
  ['many beginnings of tokens', 'eyJ-'.repeat(250_000)],
  ['parts of tokens', 'eyJaaaaa.'.repeat(110_000)],
  ['addresses in addresses', '//a:'.repeat(250_000)],
])(
  'a long text is a line like others, with %s',
  (_, text) => {
    // Each took hours where its length counted twice.
    expect(logged('json', (log) => log.error({ err: new Error(text) }, 'failed'))).toContain('"failed"')
  },
  5000,
)

test('lines are written together when their turn of the event loop is over, and the last ones at the end of the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-kit-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [script, file] = [join(folder, 'script.ts'), join(folder, 'log')]
  await writeFile(
    script,
    `import { readFileSync } from 'node:fs'
    import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
    const log = createLog({ name: 'test', file: ${JSON.stringify(file)} })
    const written = () => readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n').length - 1
    log.info('one')
    log.info('two')
    const during = written()
    setImmediate(() => {
      console.log(during, written())
      log.info('last')
      process.exit()
    })`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/run.mjs', script])
  expect(stdout).toBe('0 2\n')
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'last'])
})
