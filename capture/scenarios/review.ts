// The piece of work that captures 03 to 05 follow, each in another way: a review whose base branch is known.
import { message } from '../story.ts'
import { flawedDiff } from './diffs.ts'

export const reviewMessage = message('msg-review', {
  data: { repository: 'payments-api', baseBranch: 'main', diff: flawedDiff },
})
