/** Cuts a delivery into parts, each about one party, readable alone, and without data about others. */

import { keyOfDelivery } from '../delivery-key.ts'
import { IssueList } from '../source-issue.ts'
import type { ByteRange, Delivered, ToldPart } from '../told.ts'
import { codeOf, pathTo, textOf } from './fields.ts'
import { type Message, readMessages } from './messages.ts'
import { readWrittenAt } from './moment.ts'
import type { EdifactProfile } from './profile.ts'
import { readSegments, type Segment, type SyntaxFault } from './segments.ts'
import { writeSegment, writeServiceAdvice } from './service-characters.ts'
import { aboutOf, type Unit, unitTypes } from './unit.ts'
import { readUnits } from './units.ts'

/** Maximum of the message's head that is repeated in each part; real heads have some hundreds of bytes. */
const headBytesMax = 4_096
/**
 * Each part repeats the head of its message. All parts together may have at most this many times the bytes of the
 * delivery.
 */
const growthMax = 20
const growthBytesMin = 1_000_000

export function partsOf(body: Buffer, profile: EdifactProfile): Delivered {
  const issues = new IssueList(1)
  const note = (fault: SyntaxFault): void => noteFault(fault, issues)
  const parts: ToldPart[] = []
  let count = 0
  let bytesLeft = growthMax * body.length + growthBytesMin
  for (const message of readMessages(readSegments([body], note), note)) {
    count += 1
    if (!message.isWhole) continue
    for (const part of partsOfMessage(message, { body, profile, issues })) {
      bytesLeft -= part.body.length
      if (bytesLeft <= 0) break
      parts.push(part)
    }
    if (bytesLeft > 0) continue
    const at = { path: pathTo(message.head), lost: 'event' } as const
    issues.addOnce(
      'broken_syntax',
      at,
      'the delivery has too many parts of long messages, so the rest is not read: send fewer at once',
    )
    break
  }
  if (count === 0) issues.add('not_edi', { path: '', lost: 'answer' }, 'the delivery has no EDIFACT message')
  return { parts, faults: issues.all() }
}

export function noteFault({ kind, number, detail }: SyntaxFault, issues: IssueList): void {
  const path = `/${number}`
  // An issue quotes only codes of what was sent.
  const told = detail.replace(/"[^"]*"/g, (text) => (/^"[A-Za-z0-9 ]{0,20}"$/.test(text) ? text : 'This'))
  if (kind === 'syntax') issues.add('broken_syntax', { path, lost: 'event' }, shown(told))
  else if (kind === 'count') issues.add('count_mismatch', { path, lost: 'nothing' }, shown(told))
  else issues.add('broken_syntax', { path, lost: 'nothing' }, shown(told))
}

function shown(detail: string): string {
  return detail.replace(/[^\x20-\x7e]+/g, '.').slice(0, 160)
}

interface Delivery {
  readonly body: Buffer
  readonly profile: EdifactProfile
  readonly issues: IssueList
}

function* partsOfMessage(message: Message, { body, profile, issues }: Delivery): Generator<ToldPart> {
  const type = unitTypes.find((each) => each === message.type)
  if (type === undefined) {
    const at = { path: pathTo(message.head, 1), lost: 'event' } as const
    const what = /^[A-Z]{6}$/.test(message.type) ? `${message.type} messages` : 'messages of this type'
    issues.add('unsupported_message', at, `${what} are not read`)
    return
  }
  const context = { issues, profile, speaker: null, fetchedAtMs: Number.POSITIVE_INFINITY }
  const writtenAt = readWrittenAt(message.segments, context)
  const frame = frameOf(message)
  let ordinal = 0
  for (const unit of readUnits(type, message, { profile, issues })) {
    ordinal += 1
    const about = aboutOf(unit)
    if (about.length === 0) {
      const at = { path: pathTo(unit.own[0] ?? message.head), lost: 'event' } as const
      issues.add('missing_field', at, 'no bill, booking or container number is given')
      continue
    }
    const kept = keptSegments(message, unit, issues)
    const words = wordsOf(message, ordinal)
    const own = writeBody(message, kept, { body, frame })
    yield {
      about,
      deliveryKey: words && keyOfDelivery(words, own),
      writtenAt,
      ranges: rangesOf(kept, body),
      body: own,
    }
  }
}

/**
 * Identifies a part: sender, interchange, message, and ordinal of the part; null where the sender gives no such
 * references.
 */
function wordsOf({ envelope, reference }: Message, ordinal: number): string | null {
  if (envelope === null || textOf(envelope, 4) === '' || reference === '') return null
  const sender = [codeOf(envelope, 1), codeOf(envelope, 1, 1)].filter((each) => each !== '').join(':')
  const key = [sender, textOf(envelope, 4), reference, ordinal].join('|')
  return key.length > 300 ? null : key
}

/** Names and addresses of parties, and their contacts. */
function isOfParties({ tag }: Segment): boolean {
  return tag === 'NAD' || tag === 'CTA' || tag === 'COM'
}

function keptSegments({ head }: Message, unit: Unit, issues: IssueList): readonly Segment[] {
  let bytes = 0
  const ofHead = unit.head.filter((segment) => {
    bytes += segment.to - segment.from
    return bytes <= headBytesMax
  })
  if (ofHead.length < unit.head.length) {
    const at = { path: pathTo(head), lost: 'field' } as const
    issues.addOnce(
      'broken_syntax',
      at,
      `the head of the message has more than ${headBytesMax} bytes: the rest of it is not read`,
    )
  }
  return [head, ...ofHead, ...unit.own]
}

function rangesOf(kept: readonly Segment[], body: Buffer): readonly ByteRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const segment of kept) {
    if (isOfParties(segment)) continue
    const last = ranges.at(-1)
    const isNext = last !== undefined && isBlank(body, last.to, segment.from)
    if (last !== undefined && isNext && segment.from >= last.to) last.to = segment.to
    else ranges.push({ from: segment.from, to: segment.to })
  }
  return ranges
}

function isBlank(body: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((body[at] ?? 0) > 0x20) return false
  return true
}

interface Frame {
  readonly start: Buffer
  readonly end: Buffer
}

/** The frame of every part of a message: its separators and its envelope, without the names of sender and receiver. */
function frameOf({ envelope, head: { marks } }: Message): Frame {
  const advice = writeServiceAdvice(marks)
  if (envelope === null) return { start: Buffer.from(`${advice}\n`), end: Buffer.alloc(0) }
  const syntax = [0, 1].map((component) => textOf(envelope, 0, component))
  const written = [0, 1].map((component) => textOf(envelope, 3, component))
  const unb = writeSegment('UNB', [syntax, 'X', 'X', written, textOf(envelope, 4)], marks)
  const unz = writeSegment('UNZ', ['1', textOf(envelope, 4)], marks)
  return { start: Buffer.from(`${advice}\n${unb}\n`), end: Buffer.from(`${unz}\n`) }
}

const lineFeed = Buffer.from('\n')

/** Writes a part as an interchange of its own. Its bytes are as they came, except that names of parties are removed. */
function writeBody(
  { head }: Message,
  kept: readonly Segment[],
  { body, frame }: { readonly body: Buffer; readonly frame: Frame },
): Buffer {
  const { marks } = head
  const lines: Buffer[] = [frame.start]
  let count = 1
  for (const segment of kept) {
    if (segment.tag === 'CTA' || segment.tag === 'COM') continue
    count += 1
    const isParty = segment.tag === 'NAD'
    const party = isParty ? writeSegment('NAD', [codeOf(segment, 0).slice(0, 3)], marks) : ''
    lines.push(isParty ? Buffer.from(party) : body.subarray(segment.from, segment.to), lineFeed)
  }
  const trailer = writeSegment('UNT', [String(count), textOf(head, 0)], marks)
  return Buffer.concat([...lines, Buffer.from(`${trailer}\n`), frame.end])
}
