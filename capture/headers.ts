// Which header fields a capture leaves out.

/** Header fields that change between runs or say nothing to a reader. In lower case. */
export const unwrittenHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'traceparent',
  'transfer-encoding',
  'user-agent',
])
