// The diffs that scenarios send.

/** One line of the README of payments-api. */
export const smallDiff = `--- a/README.md
+++ b/README.md
@@ -1,5 +1,5 @@
 # payments-api
 
-Takes, captures and refunds card payments. Node.js 22.13 or later, no dependencies.
+Takes, captures and refunds card payments. Node.js 24 or later, no dependencies.
 
     npm start
`
