import { expect, test } from 'vitest'
import { grpcAddress } from './grpc-address.ts'

test.each([
  ['localhost:42241', 'localhost:42241', false],
  ['127.0.0.1:1', '127.0.0.1:1', false],
  ['[::1]:42241', '[::1]:42241', false],
  ['http://agents.example', 'agents.example:80', false],
  ['http://agents.example:8080/', 'agents.example:8080', false],
  ['https://agents.example', 'agents.example:443', true],
  ['https://agents.example:8443/a2a', 'agents.example:8443', true],
  ['grpcs://agents.example', 'agents.example:443', true],
  ['HTTPS://[2001:db8::1]', '[2001:db8::1]:443', true],
])('%s is called at %s, with TLS: %s', (url, target, secure) => {
  expect(grpcAddress(url)).toEqual({ target, secure })
})

test.each([
  '',
  'agents.example',
  'localhost:port',
  'ftp://agents.example',
  'unix:/tmp/socket',
  'https://',
  'user@host:1',
  'a b:1',
])('"%s" is no address', (url) => {
  expect(grpcAddress(url)).toBeUndefined()
})
