// Values and keys that a reader of JSON may stumble over, as they stand in its text.
import fc from 'fast-check'
import { lines, words } from './lists.ts'

/** Short ones. `{{task}}` and the like become ids that the agent knows. */
export const values: readonly string[] = [
  ...words`null true false 0 -0 1 -1 0.1 3 8 9 100 101 2147483648 -2147483649 9007199254740993 1e308 1e400 -1e400
    1E-400 123456789012345678901234567890 "" "0" "1e3" "1e400" "NaN" "-0" "null" "true" "\u0000" "a\u0000b" "\ud800"
    "\udc00x" "\ud83d\ude00" "\ufeff" "\u2028" "\u007f" "é" "../../etc/passwd" [] {} [[]] [{}] [null] {"":null}
    [1,"a",{},[],null] {"length":1} "__proto__" "constructor" "toString" {"__proto__":{"isAdmin":true}} {"then":1}
    {"constructor":{"prototype":{"x":1}}} {"toJSON":1} {"toString":null,"valueOf":null} "TASK_STATE_WORKING"
    "TASK_STATE_UNSPECIFIED" "ROLE_AGENT" "ROLE_USER" "user" "{{task}}" "{{context}}" "{{config}}" "{{message}}"
    "{{task}}x" ["{{task}}"] "2026-10-06T09:00:00.000Z" "2026-02-30T00:00:00Z" "+275760-09-13T00:00:00Z"
    "0000-01-01T00:00:00Z" "http://127.0.0.1:1/" "http://[::1]/" "http://169.254.169.254/latest"
    "https://u:p@x.example/" "javascript:alert(1)" "file:///etc/passwd" "https://" "//x" "=====" "AAAA=A" "AAA-_"
    "application/json" "*/*" "MA" "YWZ0ZXIgOTk5OTk5OTk5OTk5OTk5OQ" "OTk5OTk5OTk5OTk5OTk5LjEuYWJjZGVmZ2g" [1 {"a":}
    undefined 'a' NaN 0x10 01 +1 .5 "\x" /*a*/1`,
  ...lines`
    " "
    "[object Object]"
    "a\r\nSet-Cookie: a=b"
    "Bearer\r\nX-Injected: 1"
    "https://x.example/\r\nX: y"
    "text/plain; charset=utf-16"
    "' OR 1=1 --"`,
  '',
  '"a\nb"',
]

/** Keys, as they stand between quotes. */
export const keys: readonly string[] = [
  ...words`__proto__ constructor prototype toString hasOwnProperty then toJSON 0 length \u0000 \ud800 id ID task_id
    taskId context_id contextId message_id message parts text raw url data kind role content metadata tenant
    configuration historyLength history_length pageSize pageToken status blocking return_immediately
    push_notification_config taskPushNotificationConfig authentication credentials token scheme digest reason
    jsonrpc method params referenceTaskIds extensions filename mediaType`,
  '',
  ' ',
]

/** Methods of JSON-RPC. */
export const methods: readonly string[] = words`
  SendMessage SendStreamingMessage GetTask ListTasks CancelTask SubscribeToTask CreateTaskPushNotificationConfig
  GetTaskPushNotificationConfig ListTaskPushNotificationConfigs DeleteTaskPushNotificationConfig
  GetExtendedAgentCard message/send message/stream tasks/get tasks/cancel tasks/resubscribe
  tasks/pushNotificationConfig/set tasks/pushNotificationConfig/list tasks/pushNotificationConfig/get
  tasks/pushNotificationConfig/delete agent/getAuthenticatedExtendedCard __proto__ constructor toString sendmessage
  tasks/ / tasks/__proto__ hasOwnProperty`

const pieces = [
  ...words`a " \ then against repository: . @ a@a. - + 😀 -----BEGIN ' /* <!-- %s ({[`,
  ...lines`
    @@ -1 +1 @@
    @@ -1,1 +1,99999999 @@
    diff --git a/x b/x
    SELECT * FROM
    password = "`.map((line) => `${line}\n`),
  ...[
    ' ',
    '\n',
    '\t',
    '; ',
    ' then ',
    'deploy ',
    'build ',
    'build to ',
    'to the ',
    'against ',
    ', ',
    '```diff\n',
  ],
  ...['against the branch ', 'diff of a-', '`', '--- a/x\n+++ b/x\n', '```\n', `const a = \`\${`, `\${`],
]

const piece = fc.constantFrom(...pieces)
/** The longest takes what grows with its square to where it is noticed. */
const times = fc.constantFrom(300, 300, 300, 300, 5000, 5000, 5000, 200_000)
const deep = (open: string, inner: string, close: string) => (depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth)

/** What is long or deep. Kept rare, since each takes its time. */
const large = fc.oneof(
  fc
    .tuple(piece, fc.constantFrom(300, 5000, 200_000))
    .map(([text, often]) => JSON.stringify(text.repeat(often))),
  fc.tuple(piece, piece, times).map(([text, end, often]) => JSON.stringify(text.repeat(often) + end)),
  fc.constantFrom(50, 99, 100, 101, 5000, 5000, 100_000).map(deep('[', '', ']')),
  fc.constantFrom(99, 101, 5000, 5000, 100_000).map(deep('{"a":', '1', '}')),
  fc.constantFrom(...words`1 {} "a" null {"text":"a"}`).map((item) => `[${`${item},`.repeat(5000)}1]`),
  fc.constant(5000).map((most) => `{${Array.from({ length: most }, (_, n) => `"k${n}":${n}`).join(',')}}`),
)

export const anyValue = fc.oneof(
  { weight: 80, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: large },
)
