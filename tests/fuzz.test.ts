// A short run of what `npm run fuzz` does: the agents stand what no client should send.
import { expect, test } from 'vitest'
import { fuzz } from '../scripts/fuzz/run.ts'

test('agents refuse what no client should send, and store, show and lose nothing over it', {
  timeout: 120_000,
}, async () => {
  const said: string[] = []
  const run = {
    seed: 7,
    requests: 1500,
    seconds: 60,
    perRound: 1500,
    print: (text: string) => void said.push(text),
  }
  const { failures, sent, rounds } = await fuzz(run)
  expect(failures, said.join('\n')).toEqual([])
  expect(sent).toBeGreaterThan(250)
  // It has come to where it should: requests were taken, and refused in every binding.
  const kinds = [...rounds[0]!.kinds.keys()]
  expect(kinds).toEqual(
    expect.arrayContaining([
      'JSON-RPC result',
      'JSON-RPC -32602',
      'HTTP 200',
      'HTTP 400',
      'HTTP 404',
      'HTTP 401',
      'stream, to its end',
    ]),
  )
})
