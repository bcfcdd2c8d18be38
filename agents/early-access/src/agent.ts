// The early-access agent: registers the email address that it is sent, and asks for one if there is none.
import { type Agent, dataOf, defineAgent, type Message, textOf } from '@a2a-kit/task-core'
import type { Registrations } from './registrations.ts'

const skill = {
  id: 'request-early-access',
  name: 'Request early access',
  description: 'Takes an email address as text or as data {"email": "…"}, and registers it.',
  tags: ['registration'],
}

const card = {
  name: 'early-access',
  description: 'Registers an email address for early access. Asks for it if it has to.',
  version: '0.1.0',
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [skill],
}

const question = 'Which email address should have early access? Send it as text, or as data: {"email": "…"}.'
const schema = { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] }

/** The first email address of a message: of its data `{"email": …}`, else of its text. */
function emailIn(message: Message): string | undefined {
  const email = (dataOf(message) as { email?: unknown } | undefined)?.email
  const words = (typeof email === 'string' ? email : textOf(message)).split(/[\s<>()",;:]|[.!?](?=\s|$)/)
  return words.find((word) => /^[^@]{1,64}@[\p{L}\p{N}.-]+\.[\p{L}\p{N}-]+$/u.test(word))
}

/** The agent, over the place where it keeps registrations. */
export const earlyAccess = (registrations: Registrations): Agent =>
  defineAgent({
    card,
    taskMetadata: { skill: skill.id },

    async run(task) {
      let email = emailIn(task.message)
      while (!email) email = emailIn(await task.ask(question, { schema }))

      const registration = { registered: true, email, program: 'early_access' }
      await task.step('register', () => registrations.save(task.id, registration))

      const text = `${email} is registered for early access.`
      await task.artifact({
        name: 'Registration',
        parts: [{ text }, { data: registration, mediaType: 'application/json' }],
      })
    },

    async canceled(task) {
      const registered = await task.step('look', () => registrations.has(task.id))
      return registered ? 'Canceled after the address was registered.' : 'Canceled. Nothing was registered.'
    },
  })
