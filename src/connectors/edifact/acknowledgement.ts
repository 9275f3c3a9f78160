/**
 * The acknowledgement of an interchange (CONTRL, D.3): that it came, and which messages were read. A CONTRL is never
 * acknowledged.
 */

import { codeOf, textOf } from './fields.ts'
import { type Message, readMessages } from './messages.ts'
import { readSegments, type Segment, type SyntaxFault } from './segments.ts'
import { writeSegment } from './service-characters.ts'

/**
 * Element 0083: 7 acknowledges the interchange or message and all that is in it; 4 rejects it; 8 states only that it
 * was received.
 */
const [acknowledged, rejected, received] = ['7', '4', '8']
/** Element 0085. */
const unspecifiedError = '18'

/**
 * One acknowledgement for each interchange of the delivery that has a sender and a reference; none for one that
 * contains a CONTRL. `nextReference` gives each acknowledgement its own control reference, `at` is an ISO instant.
 */
export function writeAcknowledgements(
  body: Buffer,
  { at, nextReference }: { readonly at: string; readonly nextReference: () => string },
): readonly Buffer[] {
  const faults: SyntaxFault[] = []
  const note = (fault: SyntaxFault): void => {
    if (fault.kind === 'syntax' && faults.length < 1_000) faults.push(fault)
  }
  const byEnvelope = new Map<Segment, Message[]>()
  for (const message of readMessages(readSegments([body], note), note)) {
    const { envelope } = message
    if (envelope === null) continue
    // The head of each message is enough here.
    const known = byEnvelope.get(envelope)
    if (known === undefined) byEnvelope.set(envelope, [{ ...message, segments: [] }])
    else known.push({ ...message, segments: [] })
  }
  const envelopes = [...byEnvelope.keys()]
  return envelopes.flatMap((envelope, index): readonly Buffer[] => {
    const messages = byEnvelope.get(envelope) ?? []
    const isToAnswer = messages.every(({ type }) => type !== 'CONTRL') && codeOf(envelope, 1) !== ''
    if (!isToAnswer || textOf(envelope, 4) === '') return []
    const until = envelopes[index + 1]?.from ?? Number.POSITIVE_INFINITY
    const isBroken = faults.some(({ offset }) => offset >= envelope.from && offset < until)
    return [writeAcknowledgement({ envelope, messages, isBroken }, { at, reference: nextReference() })]
  })
}

function writeAcknowledgement(
  {
    envelope,
    messages,
    isBroken,
  }: { readonly envelope: Segment; readonly messages: readonly Message[]; readonly isBroken: boolean },
  { at, reference }: { readonly at: string; readonly reference: string },
): Buffer {
  const partner = (element: number) => [0, 1].map((component) => textOf(envelope, element, component))
  const [sender, receiver] = [partner(1), partner(2)]
  const time = at.replace(/\D/g, '')
  const about = [textOf(envelope, 4), sender, receiver]
  // If some messages are incomplete, their own answers state which ones were not read.
  const isReceivedOnly = isBroken && messages.every(({ isWhole }) => isWhole)
  const answers = messages.map(({ reference: of, head, isWhole }) => {
    const type = [0, 1, 2, 3, 4].map((component) => textOf(head, 1, component))
    return writeSegment('UCM', isWhole ? [of, type, acknowledged] : [of, type, rejected, unspecifiedError])
  })
  const lines = [
    writeSegment('UNH', [reference, ['CONTRL', 'D', '3', 'UN']]),
    writeSegment('UCI', [...about, isReceivedOnly ? received : acknowledged]),
    ...answers,
  ]
  const envelopeLines = [
    writeSegment('UNB', [['UNOC', '3'], receiver, sender, [time.slice(2, 8), time.slice(8, 12)], reference]),
    ...lines,
    writeSegment('UNT', [String(lines.length + 1), reference]),
    writeSegment('UNZ', ['1', reference]),
  ]
  return Buffer.from(envelopeLines.join('\n'))
}
