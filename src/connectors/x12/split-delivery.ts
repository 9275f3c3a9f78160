/**
 * Cuts a delivery into message parts, each about one container. A message about several containers is cut between them,
 * so that nobody sees the containers of others. A message about no container becomes a message part of its bill or
 * booking.
 */

import { instantOf } from '../../domain/values/time.ts'
import { keyOfDelivery } from '../delivery-key.ts'
import {
  type ByteRange,
  type DeliveryParts,
  type MentionedNumber,
  type MessagePart,
  messagePartsMax,
} from '../pushed-source.ts'
import { IssueList, quoteValue } from '../source-issue.ts'
import { writeBody } from './body.ts'
import { cut315, cut322 } from './cuts.ts'
import { type Envelope, type Message, readMessages } from './messages.ts'
import { readWallClock } from './moment.ts'
import { listMentionedNumbers, readNumbers } from './numbers.ts'
import type { X12Profile } from './profile.ts'
import { elementOf, isFault, readSegments, type Segment } from './segments.ts'

export function splitDelivery(body: Buffer, profile: X12Profile): DeliveryParts {
  const issues = new IssueList(1)
  const parts: MessagePart[] = []
  for (const item of readMessages(readSegments([body]))) {
    if (isFault(item)) issues.add(item.kind, item, item.detail)
    else if (item.kind === 'message' && item.isWhole) {
      for (const part of splitMessage(item, { body, profile, issues })) parts.push(part)
      if (parts.length <= messagePartsMax) continue
      const at = { path: `/${item.head.number}`, lost: 'event' } as const
      const detail = `the delivery has more than ${messagePartsMax} parts, so the rest is not read: send fewer at once`
      issues.add('broken_syntax', at, detail)
      return { parts: parts.slice(0, messagePartsMax), faults: issues.all() }
    }
  }
  return { parts, faults: issues.all() }
}

interface Context {
  readonly body: Buffer
  readonly profile: X12Profile
  readonly issues: IssueList
}

function splitMessage(message: Message, context: Context): readonly MessagePart[] {
  const { head } = message
  const type = elementOf(head, 1)
  const at = { path: `/${head.number}`, lost: 'event' } as const
  if (type !== '315' && type !== '322') {
    context.issues.add('unsupported_message', at, `${quoteValue(type)} is not a message type that is read`)
    return []
  }
  const cut = type === '315' ? cut315(message.segments, context.issues) : cut322(message.segments)
  const cuts = collectPartsWithinLimit(message, cut)
  if (cuts === null) {
    context.issues.add(
      'broken_syntax',
      at,
      'the message has too many statements about too many containers: send smaller messages',
    )
    return []
  }
  return cuts.flatMap((partSegments, index) => {
    const isOnly = cuts.length === 1
    const part = buildPart(message, { partSegments, ordinal: isOnly ? null : index + 1 }, context)
    return part === null ? [] : [part]
  })
}

function buildPart(
  message: Message,
  { partSegments, ordinal }: { readonly partSegments: readonly Segment[]; readonly ordinal: number | null },
  { body, profile, issues }: Context,
): MessagePart | null {
  const { head, end, envelope } = message
  const unread = new IssueList(1)
  const about: readonly MentionedNumber[] = listMentionedNumbers(readNumbers(partSegments, unread))
  if (about.length === 0) {
    const [why] = unread.all()
    const path = why?.path ?? `/${head.number}`
    const detail = why?.detail ?? 'the message names no container, bill or booking'
    issues.add(why?.kind ?? 'missing_field', { path, lost: 'event' }, detail)
    return null
  }
  const senderReference = senderReferenceOf(message, ordinal)
  const partBody = writeBody(body, message, partSegments)
  return {
    about,
    deliveryKey: senderReference && keyOfDelivery(senderReference, partBody),
    writtenAt: writtenAtOf(envelope, profile),
    ranges: rangesOf([head, ...partSegments, ...(end === null ? [] : [end])]),
    body: partBody,
  }
}

/** The sender, and the control numbers of interchange, group and message. Null without an envelope. */
function senderReferenceOf({ head, envelope }: Message, ordinal: number | null): string | null {
  const { interchange, group } = envelope
  if (interchange === null || group === null) return null
  const sender = `${elementOf(interchange, 5)}:${elementOf(interchange, 6)}`
  const numbers = [elementOf(interchange, 13), elementOf(group, 6), elementOf(head, 2)]
  return [sender, ...numbers, ...(ordinal === null ? [] : [`${ordinal}`])].map((text) => text.slice(0, 40)).join('/')
}

/** GS and ISA have no zone: when a message was written is known only if the partner's profile names the zone. */
function writtenAtOf({ group, interchange }: Envelope, { envelopeZone }: X12Profile): string | null {
  if (envelopeZone === undefined) return null
  const clocks = [
    group && readWallClock(elementOf(group, 4), elementOf(group, 5)),
    interchange && readWallClock(elementOf(interchange, 9), elementOf(interchange, 10)),
  ]
  const clock = clocks.find((each) => each?.kind === 'local')
  return clock ? instantOf(clock, envelopeZone).at : null
}

/**
 * Segments that hold for all containers are repeated in each message part. This limit prevents that the message parts
 * grow far beyond the delivery: null where they do.
 */
function collectPartsWithinLimit(
  { segments }: Message,
  cut: Iterable<readonly Segment[]>,
): readonly (readonly Segment[])[] | null {
  const bytesOf = (of: readonly Segment[]) => of.reduce((sum, { from, to }) => sum + to - from, 0)
  let bytesLeft = 64_000 + 4 * bytesOf(segments)
  const cuts: (readonly Segment[])[] = []
  for (const partSegments of cut) {
    bytesLeft -= bytesOf(partSegments)
    if (bytesLeft < 0) return null
    cuts.push(partSegments)
  }
  return cuts
}

function rangesOf(segments: readonly Segment[]): readonly ByteRange[] {
  const ranges: { from: number; to: number; last: number }[] = []
  for (const { from, to, number } of segments) {
    const range = ranges.at(-1)
    // Between two consecutive segments there are only line ends.
    if (range !== undefined && range.last + 1 === number) {
      range.to = to
      range.last = number
    } else ranges.push({ from, to, last: number })
  }
  return ranges.map(({ from, to }) => ({ from, to }))
}
