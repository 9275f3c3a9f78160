/** Reads a complete file of UN/EDIFACT at once, for manual imports: its segments, its messages and its faults. */

import { type Message, readMessages } from './messages.ts'
import { readSegments, type Segment, type SyntaxFault } from './segments.ts'

export type EdifactMessage = Pick<Message, 'type' | 'version' | 'reference' | 'segments'>

export interface Interchange {
  readonly segments: readonly Segment[]
  readonly messages: readonly EdifactMessage[]
  readonly faults: readonly SyntaxFault[]
}

/** A file with more faults is garbage: the rest is not stored. */
const faultsMax = 1_000

export function isEdifact(text: string): boolean {
  return /^\uFEFF?\s*(?:UNA.{6}\s*)?UN[BH]/s.test(text)
}

/** Senders use UTF-8 or Latin-1 (UNOC): bytes that are not valid UTF-8 are read as Latin-1. */
export function decodeEdifact(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

export function readInterchange(text: string): Interchange {
  const faults: SyntaxFault[] = []
  const inMessages: SyntaxFault[] = []
  const collectInto = (list: SyntaxFault[]) => (fault: SyntaxFault) => {
    if (list.length < faultsMax) list.push(fault)
  }
  const segments = [...readSegments([Buffer.from(text)], collectInto(faults))]
  const messages = [...readMessages(segments, collectInto(inMessages))]
  // A bay plan that is imported by hand often has no envelope.
  return { segments, messages, faults: [...faults, ...inMessages.filter(({ kind }) => kind !== 'bare')] }
}
