// What a reader of HTTP may stumble over: methods, addresses, headers; and bytes that are no text.
import { lines, words } from './lists.ts'

export const httpMethods: readonly string[] = [
  ...words`GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT PROPFIND M-SEARCH QUERY post BREW`,
  'G\u0000T',
  '',
]

/** What comes after an address, or in the place of one of its parts. */
export const addressParts: readonly string[] = [
  ...words`.. ../.. %2e%2e ..%2f..%2fetc%2fpasswd . / // % %0 %zz %00 %ff %c0%af %0d%0a __proto__ constructor {{task}}
    {{task}}:cancel {{task}}:subscribe :cancel : * \ ÿ é #x ? ;a=b %E2%82 %ED%A0%80 ?historyLength=-1
    ?historyLength=1e400 ?historyLength=x ?historyLength=1&historyLength=2 ?pageSize=0
    ?pageSize=99999999999999999999 ?pageToken=x ?pageToken=%00 ?status=9 ?status=TASK_STATE_UNSPECIFIED
    ?A2A-Version=0.3 ?A2A-Version=1.0&A2A-Version=0.3 ?a2a-version=%00 ?__proto__=1 ?constructor=1 ?% ?%ff=1
    ?a[b]=1 ?includeArtifacts=1 ?statusTimestampAfter=0 ?id=x&taskId=y ?contextId=`,
  ...[300, 9000, 20_000].map((length) => 'a'.repeat(length)),
  ' ',
]

export const origins: readonly string[] = words`http://evil.example https:// ftp://x //evil.example HTTP://localhost`

export const headerNames: readonly string[] = [
  ...words`Content-Type Content-Type Accept A2A-Version A2A-Version A2A-Extensions X-A2A-Extensions Authorization
    Authorization Last-Event-ID Origin Sec-Fetch-Site Host Content-Encoding Transfer-Encoding Content-Length Expect
    Upgrade Connection If-None-Match If-Modified-Since Range Cookie X-Forwarded-For X-Forwarded-Proto Forwarded
    traceparent __proto__ constructor é Accept-Encoding Access-Control-Request-Method X-HTTP-Method-Override TE
    Trailer`,
  'X y',
  '',
]

/** As bytes in Latin-1. */
export const headerValues: readonly string[] = [
  ...words`1.0 1.0.1 0.3 0.3.0 2.0 1 __proto__ constructor application/json application/a2a+json text/plain */*
    application/json; application/ a/b/c application/x-www-form-urlencoded text/html text/event-stream
    APPLICATION/JSON gzip br identity urn:a2a-kit:replay:1 urn:a2a-kit:replay:1,urn:a2a-kit:approval:1 Bearer 0 -1
    1e3 999999999 99999999999999999999 chunked 100-continue websocket http://localhost:1 https://evil.example null
    same-origin cross-site "etag" * W/" /etc bytes=0-1 keep-alive upgrade 127.0.0.1 ÿþ`,
  ...lines`
    1.0, 0.3
    application/json; charset=utf-16
    multipart/form-data; boundary=x
    chunked, gzip
    a, b, c
    Bearer x
    Bearer {{token}}
    Bearer {{operator}}
    bearer   {{token}}
    Bearer {{token}} x
    Basic {{token}}
    Basic Og==
    Thu, 01 Jan 1970 00:00:00 GMT
    Invalid Date`,
  ...['', ' ', '\u0000', 'a\tb', 'a\r\nX-Injected: 1', 'a\nb', 'a\r\n folded', 'Bearer x\r\nX-Injected: 1'],
  ','.repeat(3000),
  'a'.repeat(5000),
]

/** Bytes to stand somewhere in a body. */
export const bytes: readonly (readonly number[])[] = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x0d, 0x0a],
]
