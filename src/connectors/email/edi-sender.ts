/** Who sent an interchange of EDI: ISA06 of X12, S002 of UNB of EDIFACT. */

import { readSegments as readEdifact } from '../edifact/segments.ts'
import { elementOf, isFault, readSegments as readX12 } from '../x12/segments.ts'

export interface EdiSender {
  readonly language: 'x12' | 'edifact'
  /** In upper case, without blanks at its ends; null when the envelope names none. */
  readonly name: string | null
}

/** An envelope has some hundreds of bytes. */
const envelopeBytes = 2_000

/** Null when the file does not begin as an interchange does. */
export function findEdiSender(bytes: Buffer): EdiSender | null {
  const beginning = bytes.subarray(0, envelopeBytes)
  const start = beginning.toString('latin1').replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '')
  if (/^ISA[^A-Za-z0-9\s]/.test(start)) return { language: 'x12', name: senderOfX12(beginning) }
  if (/^UN(?:A.{6}\s*UNB|B[^A-Za-z0-9\s])/s.test(start))
    return { language: 'edifact', name: senderOfEdifact(beginning) }
  return null
}

function senderOfX12(bytes: Buffer): string | null {
  for (const segment of readX12([bytes])) if (!isFault(segment)) return parseSenderName(elementOf(segment, 6))
  return null
}

function senderOfEdifact(bytes: Buffer): string | null {
  for (const { tag, elements } of readEdifact([bytes], () => {}))
    if (tag === 'UNB') return parseSenderName(elements[1]?.[0] ?? '')
  return null
}

function parseSenderName(text: string): string | null {
  const name = text.trim().toUpperCase()
  return name === '' ? null : name
}
