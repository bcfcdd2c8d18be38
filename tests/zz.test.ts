import { Agent, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { test } from 'vitest'
import { begin } from './support/following.ts'
import { startProbe } from './support/probe.ts'
import { untilState } from './support/wait.ts'
test('x', async () => {
  const watchers = 1000
  const probe = await startProbe({ settings: { streamArtifacts: true } })
  const id = await begin(probe, 'authorize; working; chunks 10; complete')
  await untilState(probe, id, 'AUTH_REQUIRED')
  const agent = new Agent({ maxSockets: watchers })
  let opened = 0, ended = 0, failed = 0
  const t = Date.now()
  const timer = setInterval(() => console.log(Date.now() - t, { opened, ended, failed }), 1000)
  const open = () =>
    new Promise<Promise<string>>((resolve, reject) => {
      const call = request(`http://127.0.0.1:${probe.port}/a2a/tasks/${id}:subscribe`, { agent, headers: { 'A2A-Version': '1.0' } })
      call.on('response', (response) => { opened++; const p = textOf(response); p.then(() => ended++, () => failed++); resolve(p) }).on('error', (e) => { failed++; console.log(e.message); reject(e) })
      call.end()
    })
  const streams = await Promise.all(Array.from({ length: watchers }, open))
  await fetch(`${probe.url}/approve/${id}`, { method: 'POST' })
  await Promise.all(streams)
  clearInterval(timer)
  console.log(Date.now() - t, { opened, ended, failed })
}, 15000)
