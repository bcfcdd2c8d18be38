// One tutorial in the terminal: the reader reads, presses a key, and sees what comes.
import { createHash } from 'node:crypto'
import { timeline } from '../../capture/timeline.ts'
import { type Keyboard, pressed } from '../demo/keys.ts'
import { faultIn } from './compare.ts'
import { load } from './library.ts'
import { createPaper, type Output } from './paper.ts'
import { play } from './play.ts'
import { openProgress } from './progress.ts'
import { createReader } from './reader.ts'
import { discard, sitDown } from './sitting.ts'

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

/** Plays the capture `name`, from where it was left. */
export async function takeLesson(
  name: string,
  { folder, env, again, input, output, signal }: LessonOptions,
): Promise<void> {
  const { capture, read } = load(name, folder)
  const paper = createPaper(output)
  const progress = openProgress(env)
  const mark = createHash('sha256')
    .update(read(`${name}.http`))
    .digest('base64url')
  const { left, done = false } = progress.of(name)
  const kept = !again && left?.capture === mark ? left : undefined
  const number = name.slice(0, 2)

  paper.say(paper.style('bold', `${number}  ${capture.title}`))
  paper.say()
  paper.paragraph(capture.about)
  paper.say()
  const from = kept ? kept.exchange - 1 : 0
  if (left && !kept) await discard(left.kept)
  const sitting = await sitDown(capture, { env, kept: kept?.kept, from }).catch((error: Error) => {
    throw kept ? new Error(`${error.message} \`npm run tutorial -- ${number} --again\` begins anew.`) : error
  })
  const asks = input.isTTY === true && output.isTTY === true
  const press = asks ? (keys: string, gone: AbortSignal) => pressed(keys, gone, input) : undefined
  const reader = createReader(paper, { capture, press, signal })
  const start = kept && sitting.resumed ? kept.moment : 0
  paper.paragraph(sitting.where)
  paper.say()
  paper.paragraph(
    '~ marks what differs by nature, as ids and times do; ≠ marks a difference that means something.',
  )
  if (asks) paper.paragraph('q leaves, and the next time it goes on from there.')
  if (start > 0) paper.paragraph(`You left before exchange ${kept!.exchange}: it goes on there.`)
  else if (kept) paper.paragraph('The agents that you left are gone, so it begins again.')

  const moments = timeline(capture.exchanges)
  const save = (moment: number, twins = sitting.twins) => {
    const next = moments[moment]
    if (!next) return
    const now = { ...sitting.kept, twins: twins.save() }
    progress.set(name, { done, left: { moment, exchange: next.exchange.n, kept: now, capture: mark } })
  }
  save(start)
  let finished = false
  try {
    finished = await play({ ...sitting, viewer: reader.viewer, start, reached: save, signal })
  } finally {
    if (finished) progress.set(name, { done: true })
    await sitting.close(!finished)
  }
  paper.say()
  if (!finished) return paper.say(`Left. \`npm run tutorial -- ${number}\` goes on from here.`)
  paper.say(paper.style('bold', `That was ${number}, ${capture.title}.`))
  if (faultIn(reader.findings)) {
    paper.paragraph(
      `Something came that is not as recorded: \`npm run tutorial -- --check ${number}\` says where it stands.`,
    )
  }
}
