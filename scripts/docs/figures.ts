// The figures of the documentation: which captures have one, and what is said of each.
import type { ParsedCapture } from '../../capture/format.ts'
import { drawFigure, type Figure } from './figure/figure.ts'
import { captureFolder, captureNamed } from './library.ts'
import { link } from './markdown.ts'
import { listed, MarkerError } from './problem.ts'
import { courseOf } from './steps.ts'

export const figureFolder = 'docs/figures'

/** What is written by hand; the steps come from the capture of that name. */
export type Words = Pick<Figure, 'title' | 'claim' | 'alt'> & {
  name: string
  caption: string
  /** The last exchange that is shown; by default all are. */
  upTo?: number
}

export const figures: Words[] = [
  {
    name: '06-input-required',
    title: 'A question is answered on the task',
    claim:
      'The task waits with its question in the status, and a message with the same two ids lets it go on.',
    caption:
      'Time runs downwards. Steps 1 and 2 are a call that returns a question, steps 3 and 4 the call that answers it.',
    alt: 'Four steps between a planner and a code-reviewer. The planner asks for a review. The reply is a task in TASK_STATE_INPUT_REQUIRED that asks for the base branch. The planner sends the answer, main, with the ids of that task and its context. The reply is the same task in TASK_STATE_COMPLETED, with review.md and review.json.',
  },
  {
    name: '07-auth-required',
    title: 'A deploy waits for an operator',
    claim: 'The wait does not close the stream: the result comes on it, and the client sends nothing more.',
    caption:
      'Time runs downwards. Step 1 opens a stream, whose six frames are steps 2 to 4 and 7 to 9. Steps 5 and 6, the approval and its answer, are plain HTTP and no part of A2A.',
    alt: 'Nine steps between a client, a deployer and an operator. The client asks for a deploy and gets a stream. Its third frame says that an operator must approve. The operator approves over plain HTTP, and the same stream brings working, the artifact deployment.json and completed.',
  },
  {
    name: '11-resubscribe',
    upTo: 6,
    title: 'A stream is lost, and what was missed comes again',
    claim:
      'The approval comes while nobody watches. With the replay extension each missed event comes after all, once and in order.',
    caption:
      'Time runs downwards. The stream of step 1 is cut after step 4. Steps 9 and 10 are a subscription without the extension, which comes too late; steps 13 to 17 are one with it, from the event of step 4 on. Steps 5 to 8 are plain HTTP and no part of A2A.',
    alt: 'Seventeen steps between a client, a deployer and an operator. The client asks for a deploy and gets a stream, which is cut after its third frame, TASK_STATE_AUTH_REQUIRED. The operator approves, and sees that the task is completed. The client subscribes again and is refused with -32004, since the task has ended; GetTask gives its end. It subscribes with the replay extension and gets the task as it stood, then working, the artifact deployment.json and completed.',
  },
  {
    name: '13-push-notifications',
    title: 'Events are sent to a webhook',
    claim: 'Each event is sent until it is taken, and the ones behind it wait.',
    caption:
      'Time runs downwards. Steps 3 and 5 are the same event, since the webhook did not take it in step 4. In steps 11 to 18 the client looks at its configs and replaces the first by another. Steps 19 and 20, the approval and its answer, are plain HTTP and no part of A2A.',
    alt: 'Twenty-eight steps between a client, a deployer, a webhook and an operator. The client asks for a deploy and names a webhook. The deployer sends the first event, is answered 503, and sends it again; then working, and auth required. The client lists its configs, creates another one, deletes the first, and reads the one that is left. The operator approves, and the deployer sends working, the artifact and completed to the address of the new config. At last the client reads that the task is completed.',
  },
  {
    name: '19-planner',
    title: 'A planner works with two agents that wait',
    claim: 'It answers a question itself, and passes a request for approval on to its client.',
    caption:
      'Time runs downwards. Steps 3 and 16 are the client’s call and its answer. Steps 15 and 19 to 21 are the frames of the stream that the planner opens in step 14. Steps 17 and 18, the approval and its answer, are plain HTTP and no part of A2A.',
    alt: 'Twenty-three steps between a client, a planner, a code-reviewer, a deployer and an operator. The client reads the card of the planner and sends it a change. The planner reads the cards of the other two. The reviewer asks for the base branch, the planner answers main, and the review is completed. The deployer waits in TASK_STATE_AUTH_REQUIRED, the planner subscribes, and after the first frame its own task waits in the same state. The operator approves at the deployer, and the stream brings working, deployment.json and completed. At last the client reads that its task is completed, with plan.json.',
  },
]

/** The words for the figure of the capture that `word` names. @throws MarkerError that lists the figures */
export function figureNamed(captures: ParsedCapture[], word: string): Words {
  const { name } = captureNamed(captures, word)
  const found = figures.find((figure) => figure.name === name)
  if (found) return found
  throw new MarkerError(`There is no figure ${word}. There is: ${listed(figures.map((one) => one.name))}.`)
}

/** Its path from the project's folder. */
export const fileOf = ({ name }: Words): string => `${figureFolder}/${name}.svg`

/** The SVG document of a figure. @throws MarkerError for a capture with a state that there is not */
export const draw = (captures: ParsedCapture[], { name, title, claim, alt, upTo }: Words): string => {
  const { exchanges, ...capture } = captureNamed(captures, name)
  const shown = exchanges.slice(0, upTo)
  return drawFigure({ title, claim, alt, ...courseOf({ ...capture, exchanges: shown }) })
}

/** The lines of a figure's region: the image, and the caption, which says where it is from. */
export function figureLines(words: Words, page: string): string[] {
  const { name, caption, alt } = words
  const from = link(page, `${captureFolder}/${name}.http`)
  return [
    `!${link(page, fileOf(words), alt)}`,
    '',
    `${caption} Of each id the first 8 characters are shown. From ${from}.`,
  ]
}
