// The diffs that scenarios send.
import { readFileSync } from 'node:fs'

/** One line of the README of payments-api. */
export const smallDiff = `--- a/README.md
+++ b/README.md
@@ -1,5 +1,5 @@
 # payments-api
 
-Takes, captures and refunds card payments. Node.js 22.13 or later, no dependencies.
+Takes, captures and refunds card payments. Node.js 24 or later, no dependencies.
 
     npm start
`

/** Two files of payments-api, with a finding or more in each. */
export const flawedDiff = readFileSync(
  new URL('../../fixtures/payments-api/changes/plain-comparison.diff', import.meta.url),
  'utf8',
)
