/**
 * The messages (transaction sets) of an interchange, each with its envelope. Counts and control numbers of the envelope
 * are checked and faults reported, but nothing is rejected for them: senders often get them wrong while the content is
 * right.
 */

import { quoteValue } from '../source-issue.ts'
import { elementOf, isFault, type Segment, type SyntaxFault } from './segments.ts'

export interface Message {
  readonly kind: 'message'
  readonly envelope: Envelope
  readonly head: Segment
  /** Between ST and SE. */
  readonly segments: readonly Segment[]
  /** Null when the end of the message is missing. */
  readonly end: Segment | null
  /** False for a message that was cut off or is too long. Such a message must not be read. */
  readonly isWhole: boolean
  /** Whether SE has the control number of ST, and the right count of segments. */
  readonly isNumbered: boolean
  readonly isCounted: boolean
}

/** The end of a group, or of the interchange around it. */
export interface GroupEnd {
  readonly kind: 'group_end'
  readonly envelope: Envelope
  /** The number of messages according to GE; null where GE is missing or has no number. */
  readonly counted: number | null
}

/** A missing envelope segment is null. */
export interface Envelope {
  readonly interchange: Segment | null
  readonly group: Segment | null
}

/** A status message has some dozens. */
const segmentsMax = 5_000

/** Never throws; holds one message at a time in memory. */
export function* readMessages(items: Iterable<Segment | SyntaxFault>): Generator<Message | GroupEnd | SyntaxFault> {
  const reader = new MessageReader()
  for (const item of items) {
    if (isFault(item)) yield item
    else yield* reader.take(item)
  }
  yield* reader.close('the delivery')
}

class MessageReader {
  #interchange: Segment | null = null
  #group: Segment | null = null
  #groups = 0
  #messages = 0
  #head: Segment | null = null
  #segments: Segment[] = []
  #isTooLong = false;

  *take(segment: Segment): Generator<Message | GroupEnd | SyntaxFault> {
    switch (segment.tag) {
      case 'ISA':
        yield* this.close('the interchange')
        this.#interchange = segment
        this.#groups = 0
        return
      case 'GS':
        yield* this.#closeGroup(null)
        this.#group = segment
        this.#groups += 1
        this.#messages = 0
        return
      case 'ST':
        yield* this.#closeMessage(null, true)
        if (this.#group === null || this.#interchange === null)
          yield makeFault('broken_syntax', segment, 'nothing', 'the message has no envelope (ISA, GS)')
        this.#head = segment
        this.#messages += 1
        return
      case 'SE':
        if (this.#head === null)
          yield makeFault('broken_syntax', segment, 'nothing', 'the message end (SE) has no message before it')
        else yield* this.#closeMessage(segment, true)
        return
      case 'GE':
        yield* this.#closeGroup(segment)
        return
      case 'IEA':
        yield* this.#closeInterchange(segment)
        return
      default:
        yield* this.#hold(segment)
    }
  }

  /** What is still open when the interchange or the delivery ends is cut off. */
  *close(what: string): Generator<Message | GroupEnd | SyntaxFault> {
    const isOpen = this.#interchange !== null || this.#group !== null
    const last = this.#head ?? this.#group ?? this.#interchange
    yield* this.#closeMessage(null, false)
    yield* this.#closeGroup(null)
    if (isOpen && last !== null)
      yield makeFault('broken_syntax', last, 'nothing', `${what} ends without the end of its envelope (GE, IEA)`)
    this.#interchange = null
  }

  *#hold(segment: Segment): Generator<SyntaxFault> {
    // TA1 acknowledges an interchange and is outside of every group.
    if (this.#head === null) {
      if (segment.tag !== 'TA1')
        yield makeFault('broken_syntax', segment, 'field', `the segment ${segment.tag} is outside of a message`)
      return
    }
    if (this.#segments.length < segmentsMax) this.#segments.push(segment)
    else this.#isTooLong = true
  }

  *#closeMessage(end: Segment | null, isWithin: boolean): Generator<Message | SyntaxFault> {
    const head = this.#head
    if (head === null) return
    const [segments, isTooLong] = [this.#segments, this.#isTooLong]
    this.#head = null
    this.#segments = []
    this.#isTooLong = false
    const counted = end === null ? null : readCount(elementOf(end, 1))
    const isNumbered = end !== null && elementOf(end, 2) === elementOf(head, 2)
    const isCounted = counted === segments.length + 2
    if (isTooLong) yield makeFault('broken_syntax', head, 'event', `the message has more than ${segmentsMax} segments`)
    else if (end === null && isWithin) yield makeFault('broken_syntax', head, 'nothing', 'the message has no end (SE)')
    else if (end === null) yield makeFault('broken_syntax', head, 'event', 'the message is cut off')
    else if (!isCounted) yield makeCountFault(end, segments.length + 2, 'segments')
    if (!isTooLong && end !== null && !isNumbered) yield makeNumberFault(end, 2, 'the message')
    const isWhole = !isTooLong && (end !== null || isWithin)
    const envelope = { interchange: this.#interchange, group: this.#group }
    yield { kind: 'message', envelope, head, segments, end, isWhole, isNumbered, isCounted }
  }

  *#closeGroup(end: Segment | null): Generator<Message | GroupEnd | SyntaxFault> {
    yield* this.#closeMessage(null, end !== null)
    const group = this.#group
    const counted = end === null ? null : readCount(elementOf(end, 1))
    if (group !== null) yield { kind: 'group_end', envelope: this.#envelope(), counted }
    if (group !== null && end !== null) {
      if (counted !== this.#messages) yield makeCountFault(end, this.#messages, 'messages')
      if (elementOf(end, 2) !== elementOf(group, 6)) yield makeNumberFault(end, 2, 'the group')
    } else if (end !== null)
      yield makeFault('broken_syntax', end, 'nothing', 'the group end (GE) has no group before it')
    this.#group = null
  }

  *#closeInterchange(end: Segment): Generator<Message | GroupEnd | SyntaxFault> {
    yield* this.#closeMessage(null, true)
    yield* this.#closeGroup(null)
    const interchange = this.#interchange
    this.#interchange = null
    if (interchange === null) {
      yield makeFault('broken_syntax', end, 'nothing', 'the interchange end (IEA) has no interchange before it')
      return
    }
    if (readCount(elementOf(end, 1)) !== this.#groups) yield makeCountFault(end, this.#groups, 'groups')
    if (elementOf(end, 2) !== elementOf(interchange, 13)) yield makeNumberFault(end, 2, 'the interchange')
  }

  #envelope(): Envelope {
    return { interchange: this.#interchange, group: this.#group }
  }
}

function readCount(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function makeCountFault(end: Segment, count: number, what: string): SyntaxFault {
  const statedCount = quoteValue(elementOf(end, 1))
  return makeFault('count_mismatch', end, 'nothing', `the end says ${statedCount} ${what}, but there are ${count}`, 1)
}

function makeNumberFault(end: Segment, element: number, what: string): SyntaxFault {
  const detail = `${quoteValue(elementOf(end, element))} is not the number at the beginning of ${what}`
  return makeFault('count_mismatch', end, 'nothing', detail, element)
}

function makeFault(
  kind: SyntaxFault['kind'],
  segment: Segment,
  lost: SyntaxFault['lost'],
  detail: string,
  element: number | null = null,
): SyntaxFault {
  const path = element === null ? `/${segment.number}` : `/${segment.number}/${element}`
  return { isFault: true, kind, lost, path, detail }
}
