// The code reviewer: its card, and the task of reviewing one diff against a base branch that it may have to ask for.
import {
  type Agent,
  type AgentDescription,
  defineAgent,
  TaskError,
  type TaskHandle,
} from '@a2a-kit/task-core'
import { answerSchema, readBaseBranch } from './base-branch.ts'
import { findBase } from './find-base.ts'
import { reportParts } from './report.ts'
import type { Repository } from './repository.ts'
import { parseReviewRequest, type ReviewRequest } from './request.ts'
import { reviewDiff } from './review.ts'

const card: AgentDescription = {
  name: 'code-reviewer',
  description:
    'Reviews a diff by rules and says whether it should go in. Asks for the base branch if it has to.',
  version: '0.1.0',
  provider: { organization: 'a2a-kit', url: 'https://example.com/a2a-kit' },
  defaultInputModes: ['text/plain', 'text/x-diff', 'text/x-patch', 'application/json'],
  defaultOutputModes: ['application/json', 'text/markdown', 'text/plain'],
  skills: [
    {
      id: 'review-diff',
      name: 'Review a diff',
      description:
        'Takes a unified diff as text, as a file, or as data with repository, diff and baseBranch. Its artifacts are review.md, to be read, and review.json, with the findings, each with rule, severity, file and line, and the verdict.',
      tags: ['review', 'diff', 'git'],
      examples: [
        'Please review this diff of payments-api: diff --git a/README.md b/README.md …',
        '{"repository": "payments-api", "diff": "diff --git …", "baseBranch": "main"}',
      ],
    },
  ],
}

/** The agent, over the repositories that it has. */
export const codeReviewer = ({ repositories }: { repositories: Repository[] }): Agent =>
  defineAgent({
    card,

    async run(task) {
      const names = repositories.map(({ name }) => name)
      const request = parseReviewRequest(task.message, names)
      const repository = repositories.find(({ name }) => name === request.repository)
      if (!repository) return await task.reject(whichRepository(request.repository, names))

      const { branch, commit } = await agreeOnBase(task, repository, request)
      await task.working(`Reviewing the diff of ${repository.name} against ${branch}`)
      const review = await task.step('review', async ({ signal, out }) => {
        const diff = await repository.applied(request.diff, commit, signal)
        const made = reviewDiff(diff, { repository: repository.name, base: branch, baseCommit: commit })
        const chunk = { name: 'review.md', mediaType: 'text/markdown' }
        for (const text of reportParts(made)) await out.append({ ...chunk, text })
        return made
      })
      await task.artifact({ name: 'review.json', data: review })
      return review.summary
    },

    canceled: async ({ done }) =>
      done.includes('review')
        ? 'Canceled after the review was made. Nothing else was done.'
        : 'Canceled: no review was written.',
  })

/** Asks until there is a base branch to which the diff applies. */
async function agreeOnBase(task: TaskHandle, repository: Repository, { diff, baseBranch }: ReviewRequest) {
  let branch = baseBranch ?? readBaseBranch(await task.ask(question, { schema: answerSchema }))
  for (;;) {
    const found = await task.step('find base', ({ signal }) => findBase(repository, diff, branch, signal))
    if (found.outcome === 'found') return found.base
    if (found.outcome === 'unreadable') throw new TaskError(found.reason)
    branch = readBaseBranch(await task.ask(`${found.reason} ${question}`, { schema: answerSchema }))
  }
}

const question = 'Which base branch should I compare this diff against?'

const whichRepository = (name: string | undefined, known: string[]) =>
  `${name ? `There is no repository ${name} here.` : 'Name the repository of this diff.'} Known: ${known.join(', ')}.`
