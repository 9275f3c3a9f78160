/** Segments to messages, each with the envelope that it came in; counts and references are checked, and reject nothing. */

import { codeOf, textOf } from './fields.ts'
import type { Segment, SyntaxFault } from './segments.ts'

export interface Message {
  /** `UNB`; null of a message that came bare. */
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

/** More than any message has; the rest of a longer one is not kept. */
const segmentsMax = 1_000_000

/** Holds one message at a time. */
export function* readMessages(
  segments: Iterable<Segment>,
  note: (fault: SyntaxFault) => void,
): Generator<Message, void, undefined> {
  const noteAt = (kind: SyntaxFault['kind'], { number, from }: Segment, detail: string): void =>
    note({ kind, number, offset: from, detail })
  let envelope: Segment | null = null
  let count = 0
  let groups = 0
  let head: Segment | null = null
  let inside: Segment[] = []
  const close = (isWhole: boolean): Message[] => {
    if (head === null) return []
    const message = messageOf({ envelope, head, segments: inside, isWhole })
    head = null
    inside = []
    return [message]
  }
  const closeUnended = (isWhole: boolean): Message[] => {
    if (head !== null)
      noteAt(isWhole ? 'count' : 'syntax', head, `Message ${shown(head, 0)} has no end (UNT).`)
    return close(isWhole)
  }
  for (const segment of segments) {
    switch (segment.tag) {
      case 'UNB':
        yield* closeUnended(true)
        if (envelope !== null) noteAt('count', envelope, 'The interchange has no end (UNZ).')
        envelope = segment
        count = 0
        groups = 0
        break
      case 'UNG':
        groups += 1
        break
      case 'UNH':
        yield* closeUnended(true)
        if (envelope === null) noteAt('bare', segment, 'A message without an interchange around it.')
        head = segment
        count += 1
        break
      case 'UNT':
        if (head === null) noteAt('count', segment, 'An end (UNT) without its message.')
        else checkTrailer(segment, head, inside.length + 2, noteAt)
        yield* close(true)
        break
      case 'UNZ':
        yield* closeUnended(true)
        if (envelope === null) noteAt('count', segment, 'An end (UNZ) without its interchange.')
        else checkEnd(segment, envelope, groups > 0 ? groups : count, noteAt)
        envelope = null
        break
      default:
        if (head !== null && inside.length < segmentsMax) inside.push(segment)
    }
  }
  yield* closeUnended(false)
  if (envelope !== null) noteAt('count', envelope, 'The interchange has no end (UNZ).')
}

type NoteAt = (kind: SyntaxFault['kind'], at: Segment, detail: string) => void

function messageOf(read: Pick<Message, 'envelope' | 'head' | 'segments' | 'isWhole'>): Message {
  const { head } = read
  return {
    ...read,
    type: codeOf(head, 1),
    version: `${codeOf(head, 1, 1)}.${codeOf(head, 1, 2)}`,
    reference: textOf(head, 0),
  }
}

function checkTrailer(end: Segment, head: Segment, counted: number, noteAt: NoteAt): void {
  const name = `Message ${shown(head, 0)}`
  if (Number(textOf(end, 0)) !== counted)
    noteAt('count', end, `${name} has ${counted} segments and says ${shown(end, 0)}.`)
  if (textOf(end, 1) !== textOf(head, 0))
    noteAt('count', end, `${name} ends with another reference, ${shown(end, 1)}.`)
}

/** Where messages stand in groups (UNG), the groups are counted. */
function checkEnd(end: Segment, envelope: Segment, counted: number, noteAt: NoteAt): void {
  if (Number(textOf(end, 0)) !== counted)
    noteAt('count', end, `The interchange has ${counted} messages or groups and says ${shown(end, 0)}.`)
  if (textOf(end, 1) !== textOf(envelope, 4))
    noteAt('count', end, `The interchange ends with another reference, ${shown(end, 1)}.`)
}

function shown(segment: Segment, element: number): string {
  return textOf(segment, element).slice(0, 20) || 'nothing'
}
