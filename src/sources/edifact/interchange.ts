/** A whole file of UN/EDIFACT at once, for what is imported by hand: its segments, its messages and what is wrong in it. */

import { type Message, readMessages } from './messages.ts'
import { readSegments, type Segment, type SyntaxFault } from './segments.ts'

export type EdifactMessage = Pick<Message, 'type' | 'version' | 'reference' | 'segments'>

export interface Interchange {
  readonly segments: readonly Segment[]
  readonly messages: readonly EdifactMessage[]
  readonly faults: readonly SyntaxFault[]
}

/** Past this, a file is garbage whose every fault need not be kept. */
const faultsMax = 1_000

export function isEdifact(text: string): boolean {
  return /^\uFEFF?\s*(?:UNA.{6}\s*)?UN[BH]/s.test(text)
}

/** Character sets in circulation are UTF-8 and Latin-1 (UNOC); what is not the first is the second. */
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
  const keep = (list: SyntaxFault[]) => (fault: SyntaxFault) => {
    if (list.length < faultsMax) list.push(fault)
  }
  const segments = [...readSegments([Buffer.from(text)], keep(faults))]
  const messages = [...readMessages(segments, keep(inMessages))]
  // A bay plan by hand may well come without its envelope.
  return { segments, messages, faults: [...faults, ...inMessages.filter(({ kind }) => kind !== 'bare')] }
}
