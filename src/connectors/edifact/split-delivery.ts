/** Cuts a delivery into message parts, each about one party, readable alone, and without data about others. */

import { keyOfDelivery } from '../delivery-key.ts'
import { type ByteRange, type DeliveryParts, type MessagePart, messagePartsMax } from '../pushed-source.ts'
import { IssueList } from '../source-issue.ts'
import { codeOf, pathTo, textOf } from './fields.ts'
import { isReadWithoutEnd, type Message, readMessages } from './messages.ts'
import { readWrittenAt } from './moment.ts'
import type { EdifactProfile } from './profile.ts'
import { readSegments, type Segment, type SyntaxFault } from './segments.ts'
import { writeSegment, writeServiceAdvice } from './service-characters.ts'
import { listUnitNumbers, type Unit, unitTypes } from './unit.ts'
import { readUnits } from './units.ts'

/** Maximum of the message's head that is repeated in each message part; real heads have some hundreds of bytes. */
const headBytesMax = 4_096
/**
 * Each message part repeats the head of its message. All message parts together may have at most this many times the
 * bytes of the delivery.
 */
const growthMax = 20
const growthBytesMin = 1_000_000

export function splitDelivery(body: Buffer, profile: EdifactProfile): DeliveryParts {
  const issues = new IssueList(1)
  const note = (fault: SyntaxFault): void => noteFault(fault, issues)
  const parts: MessagePart[] = []
  let count = 0
  let bytesLeft = growthMax * body.length + growthBytesMin
  for (const message of readMessages(readSegments([body], note), note)) {
    count += 1
    if (!message.isWhole && !isReadWithoutEnd(message)) continue
    let isFull = false
    for (const part of splitMessage(dropCutContainer(message, body), { body, profile, issues })) {
      bytesLeft -= part.body.length
      isFull = bytesLeft <= 0 || parts.length === messagePartsMax
      if (isFull) break
      parts.push(part)
    }
    if (!isFull) continue
    const at = { path: pathTo(message.head), lost: 'event' } as const
    const what = bytesLeft > 0 ? `more than ${messagePartsMax} parts` : 'too many parts of long messages'
    issues.addOnce('broken_syntax', at, `the delivery has ${what}, so the rest is not read: send fewer at once`)
    break
  }
  if (count === 0) issues.add('not_edi', { path: '', lost: 'answer' }, 'the delivery has no EDIFACT message')
  return { parts, faults: issues.all() }
}

/** If the text ends in the middle of a segment, its statements about the last container are incomplete. */
function dropCutContainer(message: Message, body: Buffer): Message {
  const { segments, isWhole, head } = message
  const { to } = segments.at(-1) ?? head
  const rest = isWhole ? '' : body.toString('latin1', to, to + 1_000).trim()
  if (rest === '' || /^(?:EQD|CNT|UNT)/i.test(rest)) return message
  const last = segments.findLastIndex(({ tag }) => tag === 'EQD')
  return { ...message, segments: segments.slice(0, Math.max(0, last)) }
}

export function noteFault({ kind, number, detail }: SyntaxFault, issues: IssueList): void {
  const path = `/${number}`
  // An issue quotes only codes of what was sent.
  const safeDetail = detail.replace(/"[^"]*"/g, (text) => (/^"[A-Za-z0-9 ]{0,20}"$/.test(text) ? text : 'This'))
  if (kind === 'syntax') issues.add('broken_syntax', { path, lost: 'event' }, cleanDetail(safeDetail))
  else if (kind === 'count') issues.add('count_mismatch', { path, lost: 'nothing' }, cleanDetail(safeDetail))
  else issues.add('broken_syntax', { path, lost: 'nothing' }, cleanDetail(safeDetail))
}

function cleanDetail(detail: string): string {
  return detail.replace(/[^\x20-\x7e]+/g, '.').slice(0, 160)
}

interface Delivery {
  readonly body: Buffer
  readonly profile: EdifactProfile
  readonly issues: IssueList
}

function* splitMessage(message: Message, { body, profile, issues }: Delivery): Generator<MessagePart> {
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
    const about = listUnitNumbers(unit)
    if (about.length === 0) {
      const at = { path: pathTo(unit.ownSegments[0] ?? message.head), lost: 'event' } as const
      issues.add('missing_field', at, 'no bill, booking or container number is given')
      continue
    }
    const partSegments = selectSegments(message, unit, issues)
    const senderReference = senderReferenceOf(message, ordinal)
    const partBody = writeBody(message, partSegments, { body, frame })
    yield {
      about,
      deliveryKey: senderReference && keyOfDelivery(senderReference, partBody),
      writtenAt,
      ranges: rangesOf(partSegments, body),
      body: partBody,
    }
  }
}

/**
 * Identifies a message part: sender, interchange, message, and ordinal of the part; null where the sender gives no such
 * references.
 */
function senderReferenceOf({ envelope, reference }: Message, ordinal: number): string | null {
  if (envelope === null || textOf(envelope, 4) === '' || reference === '') return null
  const sender = [codeOf(envelope, 1), codeOf(envelope, 1, 1)].filter((each) => each !== '').join(':')
  const key = [sender, textOf(envelope, 4), reference, ordinal].join('|')
  return key.length > 300 ? null : key
}

/** Names and addresses of parties, and their contacts. */
function isOfParties({ tag }: Segment): boolean {
  return tag === 'NAD' || tag === 'CTA' || tag === 'COM'
}

function selectSegments({ head }: Message, unit: Unit, issues: IssueList): readonly Segment[] {
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
  return [head, ...ofHead, ...unit.ownSegments]
}

function rangesOf(partSegments: readonly Segment[], body: Buffer): readonly ByteRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const segment of partSegments) {
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

/** The frame of every message part: its separators and its envelope, without the names of sender and receiver. */
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

/**
 * Writes a message part as an interchange of its own. Its bytes are as they came, except that names of parties are
 * removed.
 */
function writeBody(
  { head }: Message,
  partSegments: readonly Segment[],
  { body, frame }: { readonly body: Buffer; readonly frame: Frame },
): Buffer {
  const { marks } = head
  const lines: Buffer[] = [frame.start]
  let count = 1
  for (const segment of partSegments) {
    if (segment.tag === 'CTA' || segment.tag === 'COM') continue
    count += 1
    const isParty = segment.tag === 'NAD'
    const party = isParty ? writeSegment('NAD', [codeOf(segment, 0).slice(0, 3)], marks) : ''
    lines.push(isParty ? Buffer.from(party) : body.subarray(segment.from, segment.to), lineFeed)
  }
  const trailer = writeSegment('UNT', [String(count), textOf(head, 0)], marks)
  return Buffer.concat([...lines, Buffer.from(`${trailer}\n`), frame.end])
}
