// Holds the captures to the grammar of REST Client, the extension of VS Code, which comes as an editor's extension alone. What
// stands here reads a file by the rules that its documentation gives, and knows nothing of the grammar in format.ts.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from './format.ts'
import { outFolder, readOut } from './library.ts'

interface Read {
  name: string | undefined
  method: string
  url: string
  headers: [string, string][]
  body: string
}

const isComment = (line: string) => /^\s*(#|\/\/)/.test(line)
const isVariable = (line: string) => /^\s*@[^\s=]+\s*=/.test(line)
const isBlank = (line: string) => line.trim() === ''

/** Blocks between lines that begin with `###`. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [[]]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('###')) blocks.push([])
    else blocks.at(-1)!.push(line)
  }
  return blocks
}

/** The request of a block: what is left without comments, variables and blank lines around it. Undefined if that is nothing. */
function requestOf(block: string[]): Read | undefined {
  const name = block.flatMap((line) => /^\s*(?:#+|\/\/+)\s+@name\s+(\w+)\s*$/.exec(line)?.[1] ?? [])[0]
  const lines = block.filter((line) => !isComment(line))
  while (lines.length > 0 && (isBlank(lines[0]!) || isVariable(lines[0]!))) lines.shift()
  while (lines.length > 0 && isBlank(lines.at(-1)!)) lines.pop()
  const [requestLine, ...rest] = lines
  if (requestLine === undefined) return undefined
  const [, method = 'GET', url = ''] = /^(?:([A-Z]+)\s+)?(.+?)(?:\s+HTTP\/.*)?$/.exec(requestLine)!
  const blank = rest.findIndex(isBlank)
  const head = blank === -1 ? rest : rest.slice(0, blank)
  const headers = head.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return { name, method, url, headers, body: blank === -1 ? '' : rest.slice(blank + 1).join('\n') }
}

describe.each(readdirSync(outFolder).filter((file) => file.endsWith('.http')))(
  'REST Client and %s',
  (file) => {
    const text = readOut(file)
    const { exchanges, variables, secrets } = parse(file.replace(/\.http$/, ''), readOut)
    const requests = blocksOf(text).flatMap((block) => requestOf(block) ?? [])

    test('it finds exactly the requests that are recorded', () => {
      const expected = exchanges.map(({ n, request: { method, url, headers } }) => ({
        name: `ex${String(n).padStart(2, '0')}`,
        method,
        url,
        headers,
      }))
      expect(requests.map(({ body: _, ...rest }) => rest)).toEqual(expected)
    })

    test('it sends their bodies whole', () => {
      for (const [at, { request }] of exchanges.entries()) {
        const { body } = requests[at]!
        if (request.body === undefined) expect(body).toBe('')
        else if (typeof request.body === 'string') expect(body).toBe(request.body)
        else expect(JSON.parse(body)).toEqual(request.body)
      }
    })

    test('the file sets every variable that they use, but for the secrets', () => {
      const set = text.split('\n').flatMap((line) => /^@(\w+) = \S+$/.exec(line)?.[1] ?? [])
      expect(set).toEqual(Object.keys(variables))
      const used = requests.flatMap(({ url, headers, body }) => [
        ...`${url} ${headers.flat().join(' ')} ${body}`.matchAll(/\{\{(\w+)\}\}/g),
      ])
      for (const [, name] of used) expect([...set, ...secrets]).toContain(name)
    })
  },
)
