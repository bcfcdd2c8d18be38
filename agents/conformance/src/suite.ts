// The scenarios of the official conformance suite (a2aproject/a2a-tck, 1.0): it chooses them by the start of a messageId.

/** What to do for each start of an id, in the language of `script.ts`. */
const scenarios: { readonly [prefix: string]: string } = {
  'tck-complete-task': 'complete Hello from TCK',
  'tck-input-required': 'obey Please say more.',
  'tck-artifact-text': 'artifact output.txt Generated text content',
  'tck-artifact-file': 'file output.txt text/plain tck',
  'tck-artifact-file-url': 'link output.txt text/plain https://example.com/output.txt',
  'tck-artifact-data': 'data output {"key":"value","count":42}',
  'tck-message-response': 'reply Direct message response',
  'tck-reject-task': 'fail rejected',
  'tck-stream-001': 'working; artifact output.txt Stream hello from TCK',
  'tck-stream-002': 'complete',
  'tck-stream-003': 'working; artifact output.txt Stream task lifecycle',
  'tck-stream-ordering-001': 'working; artifact output.txt Ordered output',
  'tck-stream-artifact-text': 'working; artifact output.txt Streamed text content',
  'tck-stream-artifact-file': 'working; file output.txt text/plain tck',
  'tck-stream-artifact-chunked': 'working; append output.txt chunk-1 | chunk-2',
  'test-resubscribe-message-id': 'working; sleep 4000',
}

const longestFirst = Object.keys(scenarios).toSorted((a, b) => b.length - a.length)

/** The script for a message of the suite, or undefined for any other message. */
export function scenarioOf(messageId: string): string | undefined {
  const prefix = longestFirst.find((one) => messageId.startsWith(one))
  if (prefix !== undefined) return scenarios[prefix]
  return messageId.startsWith('tck-') ? `complete Unhandled messageId prefix: ${messageId}` : undefined
}
