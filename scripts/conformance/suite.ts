// The page's words on the official suite, which needs Python and is not run by `npm test`: how to run it, and what it gave.

export const suite = `The suite is [a2aproject/a2a-tck](https://github.com/a2aproject/a2a-tck), branch \`1.0-dev\`, commit \`357c4a8\`. It tests version 1.0.0 of the
specification, and 104 of these requirements. \`npm run suite -- <folder>\` runs it from a checkout in that folder, with each of the cards that it takes to
cover them; \`npm run suite -- --help\` says what it needs.

| card | passed | failed | skipped | |
| --- | --- | --- | --- | --- |
| full | 250 | 0 | 15 | the skipped ones want a capability to be off |
| minimal | 182 | 1 | 82 | the one that fails, \`test_streaming_content_type\`, reads the error of a reply that it has closed, and fails against every server without streams |
| required-extension | 2 | 0 | 0 | the two tests that name the extension |

These counts are from version \`357c4a8\`, with \`CONFORMANCE_PROFILE=tck\` (see [the agent's page](../agents/conformance/README.md)). The command fails on any
others: a wrong answer to a first call would only skip what builds on it.`
