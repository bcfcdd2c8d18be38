import { describe, expect, test } from 'vitest'
import { createHosts, hostOf } from './hosts.ts'

const hostIn = (url: string) => hostOf(new URL(url))

describe('without exceptions', () => {
  const { permitsAddress, permitsName } = createHosts([])

  test.each([
    ...['127.0.0.1', '127.8.9.10', '::1', '0.0.0.0', '::'],
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
    ...['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '100.64.0.1', '100.127.255.255'],
    ...['224.0.0.1', 'ff02::1', '255.255.255.255', '240.0.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1'],
    ...['2001:db8::1', '100::1', '2001::1', '4000::1', '64:ff9b:1::808:808'],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:0:127.0.0.1', '::127.0.0.1', '::7f00:1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', 'not an address', ''],
  ])('%s is refused', (address) => {
    expect(permitsAddress(address)).toBe(false)
  })

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is permitted', (address) => {
    expect(permitsAddress(address)).toBe(true)
  })

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://0/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
  ])('the host of %s is refused, however it is written', (url) => {
    expect(permitsAddress(hostIn(url))).toBe(false)
  })

  test('no name is permitted by itself', () => {
    expect(permitsName('localhost')).toBe(false)
  })
})

test('names, addresses and ranges are permitted besides public addresses', () => {
  const { permitsAddress, permitsName } = createHosts(['localhost', '10.1.0.0/16', '192.168.1.5', 'fd00::/8'])
  expect(['LocalHost', 'other'].map(permitsName)).toEqual([true, false])
  const addresses = [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '10.2.0.1',
    '192.168.1.5',
    '192.168.1.6',
    'fd00::1',
    '::1',
  ]
  expect(addresses.map(permitsAddress)).toEqual([true, true, false, true, false, true, false])
  expect(permitsAddress('8.8.8.8')).toBe(true)
})

test('an asterisk permits everything', () => {
  const { permitsAddress, permitsName } = createHosts(['*'])
  expect([permitsAddress('127.0.0.1'), permitsAddress('::1'), permitsName('localhost')]).toEqual([
    true,
    true,
    true,
  ])
})

test.each(['10.0.0.0/33', 'http://localhost', 'a b', '10.0.0.0/', '-x'])(
  'an entry like %s is refused by its name',
  (entry) => {
    expect(() => createHosts(['localhost', entry])).toThrow(`"${entry}", which is no host name`)
  },
)
