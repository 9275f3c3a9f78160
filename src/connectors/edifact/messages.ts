/**
 * Turns segments into messages, each with its envelope. Counts and references are checked, but a fault in them does not
 * reject a message.
 */

import { codeOf, textOf } from './fields.ts'
import type { Segment, SyntaxFault } from './segments.ts'

export interface Message {
  /** `UNB`; null when the message has no envelope. */
  readonly envelope: Segment | null
  readonly head: Segment
  /** `IFTSTA`. */
  readonly type: string
  /** `D.95B`. */
  readonly version: string
  readonly reference: string
  /** Between `UNH` and `UNT`. */
  readonly segments: readonly Segment[]
  /** False when the file ends before the message does. */
  readonly isWhole: boolean
}

/**
 * Messages that are read even if their end is missing: their statements about one container do not depend on the
 * segments that follow.
 */
export function isReadWithoutEnd({ type }: Pick<Message, 'type'>): boolean {
  return type === 'CODECO' || type === 'COARRI'
}

/** More than any message has; the rest of a longer one is not stored. */
const segmentsMax = 1_000_000

/** Holds one message at a time in memory. */
export function* readMessages(
  segments: Iterable<Segment>,
  note: (fault: SyntaxFault) => void,
): Generator<Message, void, undefined> {
  const reader = new MessageReader(note)
  for (const segment of segments) {
    const message = reader.take(segment)
    if (message !== null) yield message
  }
  const last = reader.end()
  if (last !== null) yield last
}

/** Holds the message that is being read, and the counts of its envelope. */
class MessageReader {
  readonly #note: NoteAt
  #envelope: Segment | null = null
  #count = 0
  #groups = 0
  #head: Segment | null = null
  #inside: Segment[] = []

  constructor(note: (fault: SyntaxFault) => void) {
    this.#note = (kind, { number, from }, detail) => note({ kind, number, offset: from, detail })
  }

  /** Returns the message that this segment ends, or the message before it whose end is missing. */
  take(segment: Segment): Message | null {
    switch (segment.tag) {
      case 'UNB':
        return this.#open(segment)
      case 'UNG':
        this.#groups += 1
        return null
      case 'UNH':
        return this.#begin(segment)
      case 'UNT':
        if (this.#head === null) this.#note('count', segment, 'A message end (UNT) has no message before it.')
        else checkMessageTrailer(segment, this.#head, this.#inside.length + 2, this.#note)
        return this.#close(true)
      case 'UNZ':
        return this.#shut(segment)
      default:
        if (this.#head !== null && this.#inside.length < segmentsMax) this.#inside.push(segment)
        return null
    }
  }

  end(): Message | null {
    const last = this.#closeUnended(false)
    this.#missEnd()
    return last
  }

  #open(envelope: Segment): Message | null {
    const before = this.#closeUnended(true)
    this.#missEnd()
    this.#envelope = envelope
    this.#count = 0
    this.#groups = 0
    return before
  }

  #begin(head: Segment): Message | null {
    const before = this.#closeUnended(true)
    if (this.#envelope === null) this.#note('bare', head, 'A message is outside of an interchange (UNB, UNZ).')
    this.#head = head
    this.#count += 1
    return before
  }

  #shut(end: Segment): Message | null {
    const before = this.#closeUnended(true)
    // If messages are in groups (UNG), the groups are counted.
    const counted = this.#groups > 0 ? this.#groups : this.#count
    if (this.#envelope === null) this.#note('count', end, 'An interchange end (UNZ) has no interchange before it.')
    else checkInterchangeTrailer(end, this.#envelope, counted, this.#note)
    this.#envelope = null
    return before
  }

  #closeUnended(isWhole: boolean): Message | null {
    const head = this.#head
    const isRead = head !== null && (isWhole || isReadWithoutEnd({ type: codeOf(head, 1) }))
    if (head !== null)
      this.#note(isRead ? 'count' : 'syntax', head, `Message ${describeElement(head, 0)} has no end (UNT).`)
    return this.#close(isWhole)
  }

  #close(isWhole: boolean): Message | null {
    if (this.#head === null) return null
    const message = { envelope: this.#envelope, head: this.#head, segments: this.#inside, isWhole }
    this.#head = null
    this.#inside = []
    return completeMessage(message)
  }

  #missEnd(): void {
    if (this.#envelope !== null) this.#note('count', this.#envelope, 'The interchange has no end (UNZ).')
  }
}

type NoteAt = (kind: SyntaxFault['kind'], at: Segment, detail: string) => void

function completeMessage(read: Pick<Message, 'envelope' | 'head' | 'segments' | 'isWhole'>): Message {
  const { head } = read
  return {
    ...read,
    type: codeOf(head, 1),
    version: `${codeOf(head, 1, 1)}.${codeOf(head, 1, 2)}`,
    reference: textOf(head, 0),
  }
}

function checkMessageTrailer(end: Segment, head: Segment, counted: number, noteAt: NoteAt): void {
  const name = `Message ${describeElement(head, 0)}`
  if (Number(textOf(end, 0)) !== counted)
    noteAt('count', end, `${name} has ${counted} segments, but its end says ${describeElement(end, 0)}.`)
  if (textOf(end, 1) !== textOf(head, 0))
    noteAt('count', end, `${name} ends with a different reference, ${describeElement(end, 1)}.`)
}

function checkInterchangeTrailer(end: Segment, envelope: Segment, counted: number, noteAt: NoteAt): void {
  if (Number(textOf(end, 0)) !== counted)
    noteAt(
      'count',
      end,
      `The interchange has ${counted} messages or groups, but its end says ${describeElement(end, 0)}.`,
    )
  if (textOf(end, 1) !== textOf(envelope, 4))
    noteAt('count', end, `The interchange ends with a different reference, ${describeElement(end, 1)}.`)
}

function describeElement(segment: Segment, element: number): string {
  return textOf(segment, element).slice(0, 20) || 'nothing'
}
