// The page's words on the official suite, which needs Python and is not run by `npm test`: how to run it, and what it gave.

export const suite = `The suite is [a2aproject/a2a-tck](https://github.com/a2aproject/a2a-tck), branch \`1.0-dev\`, commit \`357c4a8\`. It tests version 1.0.0 of the
specification, and 104 of these requirements. \`npm run suite -- <folder>\` runs it from a checkout in that folder, with each of the cards that it takes to
cover them; \`npm run suite -- --help\` says what it needs.

To be filled in: what it counts.`
