import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { root } from '../kit.ts'
import { linesAt } from './json-lines.ts'
import { captureNamed, readCaptures } from './library.ts'
import { snippet } from './snippet.ts'

const captures = readCaptures(root)
const snippetOf = (words: string) => snippet(captures, words, 'docs/page.md').join('\n')

describe('a snippet', () => {
  test('without a cut is the JSON as it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value))
        expect(linesAt(json, []).join('\n')).toBe(JSON.stringify(json, null, 2))
      }),
    )
  })

  test('stands after its key, with … for what is cut, and says where it is from', () => {
    expect(
      snippetOf(
        '06 ex01 answer result.task.status cut: message.messageId, message.contextId, message.extensions, message.metadata',
      ),
    ).toMatchInlineSnapshot(`
      "\`\`\`json
      "status": {
        "state": "TASK_STATE_INPUT_REQUIRED",
        "message": {
          …
          "taskId": "e5c95b09-6d4b-4b3b-8693-91e81472d12f",
          "role": "ROLE_AGENT",
          "parts": [
            {
              "text": "Which base branch should I compare this diff against?"
            }
          ],
          …
        },
        "timestamp": "2026-10-06T09:00:00.500Z"
      }
      \`\`\`

      From [capture/out/06-input-required.http](../capture/out/06-input-required.http), answer of ex01."
    `)
  })

  test('of a frame is from the file of events', () => {
    expect(snippetOf('07-auth-required ex01 frame 4 result.statusUpdate.status')).toMatchInlineSnapshot(`
      "\`\`\`json
      "status": {
        "state": "TASK_STATE_WORKING",
        "timestamp": "2026-10-06T09:00:01.000Z"
      }
      \`\`\`

      From [capture/out/07-auth-required.events.json](../capture/out/07-auth-required.events.json), frame 4 of ex01."
    `)
  })

  test('of an element of a list has no key, and with only: everything else is …', () => {
    expect(
      snippetOf('06 ex02 answer result.task.history[1] only: parts[0].text, role'),
    ).toMatchInlineSnapshot(`
      "\`\`\`json
      {
        …
        "role": "ROLE_AGENT",
        "parts": [
          {
            "text": "Which base branch should I compare this diff against?"
          }
        ],
        …
      }
      \`\`\`

      From [capture/out/06-input-required.http](../capture/out/06-input-required.http), answer of ex02."
    `)
  })

  test('is a whole request, with the body or without', () => {
    expect(snippetOf('07 ex02 request')).toMatchInlineSnapshot(`
      "\`\`\`http
      POST {{base}}/approve/ecf2dcb6-79c8-48f8-8868-24a0541781f4 HTTP/1.1
      \`\`\`

      From [capture/out/07-auth-required.http](../capture/out/07-auth-required.http), request of ex02."
    `)
    expect(snippetOf('07 ex01 request cut: params.message')).toMatchInlineSnapshot(`
      "\`\`\`http
      POST {{base}}/a2a HTTP/1.1
      A2A-Version: 1.0
      Content-Type: application/json

      {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendStreamingMessage",
        "params": {
          …
        }
      }
      \`\`\`

      From [capture/out/07-auth-required.http](../capture/out/07-auth-required.http), request of ex01."
    `)
  })

  test('finds keys that are no plain words', () => {
    const words = '06 ex01 answer result.task.status.message.metadata["urn:a2a-kit:answer-schema:1"].type'
    expect(snippetOf(words)).toContain('"type": "object"')
  })

  test('has a longer fence than what it quotes', () => {
    const capture = structuredClone(captureNamed(captures, '06'))
    capture.exchanges[0]!.answer.body = '```\n````'
    expect(snippet([capture], '06 ex01 answer body', 'docs/page.md').join('\n')).toContain(
      '`````json\n```\n````\n`````',
    )
  })

  test.each([
    ['99 ex01 request', /There is no capture 99\. There is: .*06-input-required, 07-auth-required/],
    ['06 ex03 request', 'There is no ex03 in 06-input-required. There is: ex01, ex02.'],
    ['07 ex01 frame 7', 'There is no frame 7 of ex01 in 07-auth-required. There are 6 frames.'],
    ['06 ex01 frame 1', 'There are 0 frames.'],
    [
      '06 ex01 answer result.task.state',
      'There is no result.task.state: in result.task there is id, contextId, status, history.',
    ],
    [
      '06 ex01 answer result.task cut: artifacts',
      'There is no artifacts: at the top there is id, contextId, status, history.',
    ],
    ['06 ex01 answer result..task', '"..task" was not understood'],
    ['07 ex02 request body', 'It has no body.'],
    ['06 ex01 reply', '"06 ex01 reply" is no snippet. A snippet is "<capture> <exchange>'],
  ])('%s is refused, and told what there is', (words, what) => {
    expect(() => snippetOf(words)).toThrow(what)
  })
})
