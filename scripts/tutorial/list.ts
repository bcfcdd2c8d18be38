// The list of the tutorials, with where the reader is in each.
import { wrap } from '../wrap.ts'
import { load } from './library.ts'
import { createPaper, type Output } from './paper.ts'
import { openProgress } from './progress.ts'

export interface ListOptions {
  folder: string
  env: NodeJS.ProcessEnv
  output: Output
}

export function list(names: string[], { folder, env, output }: ListOptions): void {
  const { say, style, width } = createPaper(output)
  const progress = openProgress(env)
  for (const name of names) {
    const { title, about, exchanges } = load(name, folder).capture
    const { done, left } = progress.of(name)
    const at = left && `at ${left.exchange} of ${exchanges.length}`
    const where = at && done ? `done, and again ${at}` : at || (done ? 'done' : '')
    say(`${style('bold', `${name.slice(0, 2)}  ${title}`)}${where && `  (${where})`}`)
    for (const line of wrap(firstSentence(about), width - 4)) say(style('dim', `    ${line}`))
  }
  say('\nBegin with 06: `npm run tutorial -- 06` plays it; `npm run tutorial -- --help` says more.')
}

/** Without the sections of the specification that it names. */
const firstSentence = (text: string): string =>
  (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/ \(§[\d.]+\)/g, '')
