// Values that a server may stumble over, as texts of JSON, and texts for headers and addresses.
import fc from 'fast-check'

const quoted = (text: string): string => JSON.stringify(text)
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** Short ones. `{{task}}` and the like become ids that the agent knows. */
export const values: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '0.1', '3', '100', '101', '2147483648', '-2147483649'],
  ...['9007199254740993', '1e308', '1e400', '-1e400', '1E-400', '123456789012345678901234567890'],
  ...['""', '" "', '"0"', '"1e3"', '"1e400"', '"NaN"', '"-0"', '"null"', '"true"', '"[object Object]"'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\\ud83d\\ude00"', '"\\ufeff"', '"\\u2028"'],
  ...['"a\\r\\nSet-Cookie: a=b"', '"Bearer\\r\\nX-Injected: 1"', '"\\u007f"', '"é"', '"../../etc/passwd"'],
  ...['[]', '{}', '[[]]', '[{}]', '[null]', '{"":null}', '[1,"a",{},[],null]', '{"length":1}'],
  ...['"__proto__"', '"constructor"', '"toString"', '{"__proto__":{"isAdmin":true}}', '{"then":1}'],
  ...['{"constructor":{"prototype":{"x":1}}}', '{"toJSON":1}', '{"toString":null,"valueOf":null}'],
  ...['"TASK_STATE_WORKING"', '"TASK_STATE_UNSPECIFIED"', '"ROLE_AGENT"', '"ROLE_USER"', '"user"', '8', '9'],
  ...['"{{task}}"', '"{{context}}"', '"{{config}}"', '"{{message}}"', '"{{task}}x"', '["{{task}}"]'],
  ...[
    '"2026-10-06T09:00:00.000Z"',
    '"2026-02-30T00:00:00Z"',
    '"+275760-09-13T00:00:00Z"',
    '"0000-01-01T00:00:00Z"',
  ],
  ...[
    '"http://127.0.0.1:1/"',
    '"http://[::1]/"',
    '"http://169.254.169.254/latest"',
    '"https://u:p@x.example/"',
  ],
  ...[
    '"javascript:alert(1)"',
    '"file:///etc/passwd"',
    '"https://x.example/\\r\\nX: y"',
    '"https://"',
    '"//x"',
  ],
  ...['"====="', '"AAAA=A"', '"AAA-_"', '"application/json"', '"text/plain; charset=utf-16"', '"*/*"'],
  ...['"MA"', '"YWZ0ZXIgOTk5OTk5OTk5OTk5OTk5OQ"', '"OTk5OTk5OTk5OTk5OTk5LjEuYWJjZGVmZ2g"', '"\' OR 1=1 --"'],
  ...['[1', '{"a":}', 'undefined', "'a'", 'NaN', '0x10', '01', '+1', '.5', '"\\x"', '"a\nb"', '/*a*/1', ''],
]

const texts = [
  ...[
    'a',
    ' ',
    '\n',
    '\t',
    '"',
    '\\',
    '`',
    '; ',
    'then',
    ' then ',
    'deploy ',
    'build ',
    'build to ',
    'to the ',
  ],
  ...[
    'against ',
    'against the branch ',
    'repository: ',
    'diff of a-',
    '.',
    ', ',
    '@',
    'a@a.',
    '-',
    '+',
    '😀',
  ],
  ...[
    '--- a/x\n+++ b/x\n',
    '@@ -1 +1 @@\n',
    '@@ -1,1 +1,99999999 @@\n',
    'diff --git a/x b/x\n',
    '```\n',
    '```diff\n',
  ],
  ...['-----BEGIN ', 'password = "', 'const a = `${', "'", '/*', '<!--', 'SELECT * FROM ', '%s', '${', '({['],
]

/** What is long or deep, by how it is made. Kept rare, since each takes its time. */
export const large = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(300, 5000, 200_000))
      .map(([text, times]) => quoted(text.repeat(times))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(...texts), fc.constantFrom(300, 200_000))
      .map(([a, b, times]) => quoted(`${a.repeat(times)}${b}`)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(50, 99, 100, 101, 5000, 100_000).map((depth) => nested('[', ']', depth)),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(99, 101, 5000, 100_000)
      .map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('1', '{}', '"a"', 'null', '{"text":"a"}')
      .map((item) => `[${`${item},`.repeat(20_000)}1]`),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(20_000)
      .map((most) => `{${Array.from({ length: most }, (_, n) => `"k${n}":${n}`).join(',')}}`),
  },
)

export const anyValue = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: large },
)

/** Keys as they stand between quotes. */
export const keys: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'then',
    'toJSON',
    '',
    ' ',
    '0',
    'length',
  ],
  ...[
    '\\u0000',
    '\\ud800',
    'id',
    'ID',
    'task_id',
    'taskId',
    'context_id',
    'contextId',
    'message_id',
    'message',
  ],
  ...[
    'parts',
    'text',
    'raw',
    'url',
    'data',
    'kind',
    'role',
    'content',
    'metadata',
    'tenant',
    'configuration',
  ],
  ...['historyLength', 'history_length', 'pageSize', 'pageToken', 'status', 'blocking', 'return_immediately'],
  ...[
    'push_notification_config',
    'taskPushNotificationConfig',
    'authentication',
    'credentials',
    'token',
    'scheme',
  ],
  ...[
    'digest',
    'reason',
    'jsonrpc',
    'method',
    'params',
    'referenceTaskIds',
    'extensions',
    'filename',
    'mediaType',
  ],
]

export const methods: readonly string[] = [
  ...['SendMessage', 'SendStreamingMessage', 'GetTask', 'ListTasks', 'CancelTask', 'SubscribeToTask'],
  ...['CreateTaskPushNotificationConfig', 'GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'],
  ...[
    'DeleteTaskPushNotificationConfig',
    'GetExtendedAgentCard',
    'message/send',
    'message/stream',
    'tasks/get',
  ],
  ...[
    'tasks/cancel',
    'tasks/resubscribe',
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/list',
  ],
  ...[
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotificationConfig/delete',
    'agent/getAuthenticatedExtendedCard',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'sendmessage',
    'tasks/',
    '/',
    'tasks/__proto__',
    'hasOwnProperty',
  ],
]

/** Values of headers, as bytes in Latin-1. */
export const headerValues: readonly string[] = [
  ...[
    '',
    ' ',
    '1.0',
    '1.0.1',
    '0.3',
    '0.3.0',
    '2.0',
    '1',
    '1.0, 0.3',
    '__proto__',
    'constructor',
    '\u0000',
    'a\tb',
    '\xff\xfe',
  ],
  ...[
    'a\r\nX-Injected: 1',
    'a\nb',
    'a\r\n folded',
    'application/json',
    'application/a2a+json',
    'text/plain',
    '*/*',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json;',
    'application/',
    'a/b/c',
    'multipart/form-data; boundary=x',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'text/html',
    'text/event-stream',
    'APPLICATION/JSON',
    'gzip',
    'br',
    'identity',
  ],
  ...[
    'urn:a2a-kit:replay:1',
    'urn:a2a-kit:replay:1,urn:a2a-kit:approval:1',
    ','.repeat(3000),
    'a'.repeat(5000),
  ],
  ...[
    'Bearer x',
    'Bearer',
    'Bearer {{token}}',
    'bearer   {{token}}',
    'Bearer {{token}} x',
    'Basic {{token}}',
    'Basic Og==',
  ],
  ...[
    '0',
    '1',
    '-1',
    '1e3',
    '999999999',
    '99999999999999999999',
    'chunked',
    'chunked, gzip',
    '100-continue',
    'websocket',
  ],
  ...[
    'http://localhost:1',
    'https://evil.example',
    'null',
    'same-origin',
    'cross-site',
    '"etag"',
    '*',
    'W/"',
    '/etc',
  ],
  ...[
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Invalid Date',
    'bytes=0-1',
    'keep-alive',
    'upgrade',
    '127.0.0.1',
    'a, b, c',
  ],
]

export const headerNames: readonly string[] = [
  ...[
    'Content-Type',
    'Content-Type',
    'Accept',
    'A2A-Version',
    'A2A-Version',
    'A2A-Extensions',
    'X-A2A-Extensions',
  ],
  ...[
    'Authorization',
    'Authorization',
    'Last-Event-ID',
    'Origin',
    'Sec-Fetch-Site',
    'Host',
    'Content-Encoding',
  ],
  ...[
    'Transfer-Encoding',
    'Content-Length',
    'Expect',
    'Upgrade',
    'Connection',
    'If-None-Match',
    'If-Modified-Since',
  ],
  ...[
    'Range',
    'Cookie',
    'X-Forwarded-For',
    'traceparent',
    '__proto__',
    'constructor',
    'X y',
    'é',
    '',
    'Accept-Encoding',
  ],
  ...['Access-Control-Request-Method', 'X-HTTP-Method-Override', 'Forwarded', 'TE', 'Trailer'],
]

export const httpMethods: readonly string[] = [
  ...[
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'M-SEARCH',
    'QUERY',
  ],
  ...['post', 'BREW', 'G\u0000T', ''],
]

/** What comes after an address, or in the place of one of its parts. */
export const addressParts: readonly string[] = [
  ...[
    '..',
    '../..',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '.',
    '/',
    '//',
    '%',
    '%0',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '%0d%0a',
  ],
  ...[
    '__proto__',
    'constructor',
    '{{task}}',
    '{{task}}:cancel',
    '{{task}}:subscribe',
    ':cancel',
    ':',
    '*',
    '\\',
    '\xff',
  ],
  ...[
    'é',
    ' ',
    '#x',
    '?',
    ';a=b',
    'a'.repeat(300),
    'a'.repeat(9000),
    'a'.repeat(20_000),
    '%E2%82',
    '%ED%A0%80',
  ],
  ...[
    '?historyLength=-1',
    '?historyLength=1e400',
    '?historyLength=x',
    '?historyLength=1&historyLength=2',
    '?pageSize=0',
  ],
  ...[
    '?pageSize=99999999999999999999',
    '?pageToken=x',
    '?pageToken=%00',
    '?status=9',
    '?status=TASK_STATE_UNSPECIFIED',
  ],
  ...[
    '?A2A-Version=0.3',
    '?A2A-Version=1.0&A2A-Version=0.3',
    '?a2a-version=%00',
    '?__proto__=1',
    '?constructor=1',
  ],
  ...[
    '?%',
    '?%ff=1',
    '?a[b]=1',
    '?includeArtifacts=1',
    '?statusTimestampAfter=0',
    '?id=x&taskId=y',
    '?contextId=',
  ],
]

/** Bytes that are no text, to stand somewhere in a body. */
export const bytes: readonly (readonly number[])[] = [
  ...[
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xef, 0xbb, 0xbf],
    [0],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82],
    [0x0d, 0x0a],
  ],
]
