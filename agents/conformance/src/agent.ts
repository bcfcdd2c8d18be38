// The scripted agent: the message chooses what it does. The core's tests run against it, and anybody's client can.
import { type Agent, defineAgent, type Message, TaskError, textOf } from '@a2a-kit/task-core'
import { perform } from './perform.ts'
import { type Command, parseScript } from './script.ts'
import { scenarioOf } from './suite.ts'

export const conformance: Agent = defineAgent({
  card: {
    name: 'conformance',
    description: 'Does what the message says: for trying A2A clients and servers.',
    version: '0.1.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'script',
        name: 'Run a script',
        description: 'Runs the commands of the message, one after the other.',
        tags: ['testing'],
        examples: [
          'working; sleep 500; complete done',
          'ask Which branch?; artifact answer.txt thanks',
          'chunks 5 every 100ms',
        ],
      },
    ],
  },

  reply: (message) => /^reply\s+(.+)$/s.exec(scriptOf(message))?.[1],

  async run(task) {
    let message = task.message
    let commands = readScript(message)
    for (let command = commands.shift(); command; command = commands.shift()) {
      if (command.verb === 'complete') return command.text || undefined
      if (command.verb === 'obey') {
        message = await task.ask(command.text)
        commands = readScript(message)
      } else {
        await perform(task, command, message)
      }
    }
  },
})

/** The official suite chooses by the messageId, everybody else by the text. */
const scriptOf = (message: Message): string => scenarioOf(message.messageId) ?? textOf(message)

function readScript(message: Message): Command[] {
  try {
    return parseScript(scriptOf(message))
  } catch (error) {
    throw new TaskError((error as Error).message)
  }
}
