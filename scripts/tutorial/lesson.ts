// One tutorial in the terminal: the reader reads, presses a key, and sees what comes.
import { hash } from 'node:crypto'
import type { Capture } from '../../capture/model.ts'
import { timeline } from '../../capture/timeline.ts'
import type { Keyboard } from '../demo/keys.ts'
import { faultIn } from './compare.ts'
import { type Keys, openKeys } from './keys.ts'
import { load, namesFor } from './library.ts'
import { createPaper, type Output } from './paper.ts'
import { type Outcome, play } from './play.ts'
import { openProgress } from './progress.ts'
import { createReader } from './reader.ts'
import { discard, sitDown } from './sitting.ts'
import type { Twins } from './twins.ts'

export interface LessonOptions {
  folder: string
  env: NodeJS.ProcessEnv
  /** From the beginning, wherever the reader is. */
  again: boolean
  /** Against agents that are started, even if some run. */
  own?: boolean
  input: Keyboard
  output: Output
  /** Aborts when the reader is to leave, whatever goes on. */
  signal: AbortSignal
}

/** Plays the capture `name`, from where it was left. @throws Error if its agents do not start or do not answer */
export async function takeLesson(name: string, options: LessonOptions): Promise<void> {
  const { input, output, signal } = options
  if (input.isTTY !== true || output.isTTY !== true) return lesson(name, options, undefined)
  const interrupted = new AbortController()
  const keys = openKeys(input, () => interrupted.abort())
  try {
    await lesson(name, { ...options, signal: AbortSignal.any([signal, interrupted.signal]) }, keys)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error // else agents that were being started were stopped
  } finally {
    keys.close()
  }
}

async function lesson(name: string, options: LessonOptions, keys: Keys | undefined): Promise<void> {
  const { folder, env, again, own, output, signal } = options
  const { capture, read } = load(name, folder)
  const paper = createPaper(output)
  const { say, style, paragraph } = paper
  const progress = openProgress(env)
  const mark = hash('sha256', read(`${name}.http`), 'base64url')
  const { left, done = false } = progress.of(name)
  const kept = !again && left?.capture === mark ? left : undefined
  if (left && !kept) await discard(left.kept)

  const command = `npm run tutorial -- ${name.slice(0, 2)}`
  say(style('bold', `${name.slice(0, 2)}  ${capture.title}`))
  say()
  paragraph(capture.about)
  say()
  const starting = (names: string[]) =>
    paper.during(`${inWords(names)} ${names.length > 1 ? 'start' : 'starts'}`)
  const sitting = await sitDown(capture, { env, own, signal, starting, kept: kept?.kept }).catch(
    (error: Error) => {
      throw kept ? new Error(`${error.message} \`${command} --again\` begins anew.`) : error
    },
  )
  paragraph(sitting.where)
  say()
  paragraph('What came is marked where it is not what was recorded:')
  for (const line of paper.legend) paper.lines(line)
  say()
  for (const note of notesOn(capture, sitting.twins)) paragraph(note)
  if (keys) paragraph('q leaves, and the next time it goes on from there.')
  if (kept && sitting.resumed) paragraph(`You left before exchange ${kept.exchange}: it goes on there.`)
  else if (kept) paragraph('These are not the agents, or not the data, that you left: so it begins again.')

  const moments = timeline(capture.exchanges)
  const start = kept && sitting.resumed ? kept.moment : 0
  let reached = { moment: start, twins: sitting.twins }
  /** With what has arrived and was not read yet: nothing does after the sitting is closed. */
  function save(): void {
    const next = moments[reached.moment]
    if (!next) return
    const now = { ...sitting.keep(), twins: reached.twins.save() }
    const { n: exchange } = next.exchange
    progress.set(name, { done, left: { moment: reached.moment, exchange, kept: now, capture: mark } })
  }
  const onMoment = (moment: number, twins: Twins) => {
    reached = { moment, twins }
    save()
  }
  const reader = createReader(paper, { capture, restart: sitting.restart, keys, signal })
  let outcome: Outcome = 'left'
  try {
    outcome = await play({ ...sitting, viewer: reader.viewer, start, signal, reached: onMoment })
  } finally {
    await sitting.close(outcome === 'left')
    if (outcome === 'played') progress.set(name, { done: true })
    else if (outcome === 'otherwise') progress.set(name, { done })
    else save()
  }
  say()
  if (outcome === 'left') return say(`Left. \`${command}\` goes on from here.`)
  if (outcome === 'otherwise')
    return paragraph(`That was your way through ${name.slice(0, 2)}. \`${command}\` plays it anew.`)
  say(style('bold', `That was ${name.slice(0, 2)}, ${capture.title}.`))
  if (faultIn(reader.findings)) {
    const check = command.replace('-- ', '-- --check ')
    paragraph(
      `Something came that is not as recorded: \`${check}\` plays it without you, and says where it stands.`,
    )
  }
  const all = namesFor([], folder)
  const next = all[all.indexOf(name) + 1]
  if (!next) return paragraph('It is the last one: `npm run tutorial` lists them all.')
  paragraph(`Next: \`npm run tutorial -- ${next.slice(0, 2)}\`, ${load(next, folder).capture.title}.`)
}

/** What a reader must know of the prose and the ids of this capture. */
function notesOn(capture: Capture, twins: Twins): string[] {
  const { pairs } = twins.save()
  const [made] = pairs.filter(([recorded, live]) => live.startsWith(`${recorded}-`))
  return [
    'A long line is broken to fit, and goes on further in.',
    ...(made
      ? [
          `Ids that clients make up have an ending of this play, as ${made[1]} has: a repeated one would mean the same message.`,
        ]
      : []),
    ...(JSON.stringify(capture).includes('§')
      ? ['§ is a section of the A2A specification 1.0: https://a2a-protocol.org/latest/specification/']
      : []),
  ]
}

const inWords = (names: string[]) => `the ${names.join(', the ').replace(/, (?=[^,]*$)/, ' and ')}`
