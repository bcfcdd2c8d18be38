import { expect, test } from 'vitest'
import { createPermitsHost } from './hosts.ts'

test('a host is permitted by what it names, the first time and every later time', () => {
  const permits = createPermitsHost(['Agent.example'], () => 'https://public.example:8443')
  const permitted = [
    'localhost:4000',
    '127.0.0.1:1',
    '[::1]:4000',
    'agent.example',
    'PUBLIC.example.',
    undefined,
  ]
  const refused = ['evil.example', 'localhost.evil.example', 'public.example@evil.example', '', 'a b']
  for (let time = 0; time < 3; time += 1) {
    expect(permitted.filter((host) => !permits(host))).toEqual([])
    expect(refused.filter(permits)).toEqual([])
  }
})

test('the public name is permitted from when it is known, though it was refused before', () => {
  let publicUrl = ''
  const permits = createPermitsHost([], () => publicUrl)
  expect(permits('public.example')).toBe(false)
  publicUrl = 'https://public.example'
  expect(permits('public.example')).toBe(true)
})

test('however many hosts were permitted, no other one is', () => {
  const permits = createPermitsHost([], () => '')
  for (let port = 1; port <= 1000; port += 1) {
    expect(permits(`localhost:${port}`)).toBe(true)
    expect(permits(`evil.example:${port}`)).toBe(false)
  }
})
