// What kind of file a path names: which rules look at it.

/** JavaScript or TypeScript. */
export const isCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)

export const isTest = (path: string) =>
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|e2e|fixtures)\//.test(path) ||
  /[.-](?:test|spec)\.[cm]?[jt]sx?$/.test(path)

export const isDocs = (path: string) =>
  /\.(?:md|mdx|rst|adoc|txt)$/i.test(path) || /(?:^|\/)docs?\//.test(path)

/** Written by a tool, or somebody else's. */
export const isGenerated = (path: string) =>
  /(?:^|\/)(?:dist|build|vendor|node_modules|__snapshots__)\//.test(path) ||
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml)$/.test(path) ||
  /\.(?:min\.js|map|snap|d\.ts)$|\.gen\.|\.generated\./.test(path)

/** Code that runs in production: not a test, not generated, not the configuration of a tool. */
export const isSource = (path: string) =>
  isCode(path) && !isTest(path) && !isGenerated(path) && !/\.config\.[cm]?[jt]s$/.test(path)

/** A program for the command line, for which the console is the place to write to. */
export const isScript = (path: string) =>
  /(?:^|\/)(?:scripts?|bin|tools|cli)\//.test(path) || /(?:^|\/)cli\.[cm]?[jt]s$/.test(path)
