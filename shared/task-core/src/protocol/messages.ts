// Reading and making the content of messages: what agents and clients do with parts all the time.
import type { Artifact, Json, Message, Part } from './types.ts'

/** What an agent or a client may say: text, one part, or several. */
export type Content = string | Part | Part[]

/** The parts that `content` stands for. */
export const partsOf = (content: Content): Part[] =>
  typeof content === 'string' ? [{ text: content }] : Array.isArray(content) ? content : [content]

/** All text of a message or an artifact, joined without a separator; '' if it has none. */
export const textOf = (holder: Pick<Message | Artifact, 'parts'> | undefined): string =>
  holder?.parts.map((part) => part.text ?? '').join('') ?? ''

/** The value of the first `data` part, or undefined if there is none. */
export const dataOf = (holder: Pick<Message | Artifact, 'parts'> | undefined): Json | undefined =>
  holder?.parts.find((part) => part.data !== undefined)?.data
