// One tutorial in the terminal: the reader reads, presses a key, and sees what comes.
import { hash } from 'node:crypto'
import { timeline } from '../../capture/timeline.ts'
import { type Keyboard, pressed } from '../demo/keys.ts'
import { faultIn } from './compare.ts'
import { load } from './library.ts'
import { createPaper, type Output } from './paper.ts'
import { play } from './play.ts'
import { openProgress } from './progress.ts'
import { createReader } from './reader.ts'
import { discard, sitDown } from './sitting.ts'
import type { Twins } from './twins.ts'

export interface LessonOptions {
  folder: string
  env: NodeJS.ProcessEnv
  /** From the beginning, wherever the reader is. */
  again: boolean
  input: Keyboard
  output: Output
  /** Aborts when the reader is to leave, whatever goes on. */
  signal: AbortSignal
}

/** Plays the capture `name`, from where it was left. @throws Error if its agents do not start or do not answer */
export async function takeLesson(name: string, options: LessonOptions): Promise<void> {
  const { folder, env, again, input, output, signal } = options
  const { capture, read } = load(name, folder)
  const paper = createPaper(output)
  const progress = openProgress(env)
  const mark = hash('sha256', read(`${name}.http`), 'base64url')
  const { left, done = false } = progress.of(name)
  const kept = !again && left?.capture === mark ? left : undefined
  if (left && !kept) await discard(left.kept)

  const command = `npm run tutorial -- ${name.slice(0, 2)}`
  paper.say(paper.style('bold', `${name.slice(0, 2)}  ${capture.title}`))
  paper.say()
  paper.paragraph(capture.about)
  paper.say()
  const sitting = await sitDown(capture, { env, kept: kept?.kept }).catch((error: Error) => {
    throw kept ? new Error(`${error.message} \`${command} --again\` begins anew.`) : error
  })
  const asks = input.isTTY === true && output.isTTY === true
  paper.paragraph(sitting.where)
  paper.say()
  paper.paragraph(paper.legend)
  if (asks) paper.paragraph('q leaves, and the next time it goes on from there.')
  if (kept && sitting.resumed) paper.paragraph(`You left before exchange ${kept.exchange}: it goes on there.`)
  else if (kept) paper.paragraph('The agents that you left are gone, so it begins again.')

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
  const press = asks ? (keys: string, gone: AbortSignal) => pressed(keys, gone, input) : undefined
  const reader = createReader(paper, { capture, press, signal })
  let finished = false
  try {
    finished = await play({ ...sitting, viewer: reader.viewer, start, signal, reached: onMoment })
  } finally {
    await sitting.close(!finished)
    if (finished) progress.set(name, { done: true })
    else save()
  }
  paper.say()
  if (!finished) return paper.say(`Left. \`${command}\` goes on from here.`)
  paper.say(paper.style('bold', `That was ${name.slice(0, 2)}, ${capture.title}.`))
  if (faultIn(reader.findings)) {
    const check = command.replace('-- ', '-- --check ')
    paper.paragraph(`Something came that is not as recorded: \`${check}\` says where it stands.`)
  }
}
