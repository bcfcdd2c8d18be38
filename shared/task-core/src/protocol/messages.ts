// Reading and making the content of messages: what agents and clients do with parts all the time.
import type { Artifact, Json, Message, Part } from './types.ts'

/** What an agent or a client may say: text, one part, or several. */
export type Content = string | Part | Part[]

const members = ['text', 'raw', 'url', 'data'] as const

/**
 * The parts that `content` stands for.
 * @throws Error for no part at all (§5.7), and for a part that has not exactly one of text, raw, url and data (§4.1.6)
 */
export function partsOf(content: Content): Part[] {
  if (typeof content === 'string') return [{ text: content }]
  const parts = Array.isArray(content) ? content : [content]
  if (parts.length === 0) throw new Error('Content needs at least one part.')
  for (const [index, part] of parts.entries()) {
    if (members.filter((member) => part[member] !== undefined).length !== 1) {
      throw new Error(`Part ${index} of the content needs exactly one of ${members.join(', ')}.`)
    }
  }
  return parts
}

/** All text of a message or an artifact, joined without a separator; '' if it has none. */
export const textOf = (holder: Pick<Message | Artifact, 'parts'> | undefined): string =>
  holder?.parts.map((part) => part.text ?? '').join('') ?? ''

/** The value of the first `data` part, or undefined if there is none. */
export const dataOf = (holder: Pick<Message | Artifact, 'parts'> | undefined): Json | undefined =>
  holder?.parts.find((part) => part.data !== undefined)?.data
