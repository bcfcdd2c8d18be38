import { expect, test } from 'vitest'
import { createNetworkOf } from './networks.ts'

const behind = createNetworkOf(['10.0.0.0/8', '::1'])

test.each([
  ['198.51.100.7', undefined, '198.51.100.7'],
  ['::ffff:198.51.100.7', undefined, '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  // Who is no proxy says nothing of others.
  ['198.51.100.7', '192.0.2.1', '198.51.100.7'],
  ['10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['::1', '2001:db8::9', '2001:db8::/64'],
  // What stands further left was written by whom the proxy does not vouch for.
  ['10.0.0.1', '192.0.2.66, 192.0.2.1', '192.0.2.1'],
  ['10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
  ['10.0.0.1', 'not an address', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['unknown', '192.0.2.1', 'unknown'],
  [undefined, undefined, 'unknown'],
])('from %s with X-Forwarded-For "%s" is %s', (peer, forwardedFor, network) => {
  expect(behind({ peer, forwardedFor })).toBe(network)
})

test('without a trusted proxy the header counts for nothing', () => {
  expect(createNetworkOf()({ peer: '127.0.0.1', forwardedFor: '192.0.2.1' })).toBe('127.0.0.1')
})
