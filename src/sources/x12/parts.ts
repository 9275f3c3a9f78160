/**
 * Cuts a delivery into parts, each about one box. A message about several boxes is cut between them, so that nobody
 * sees the boxes of others. A message about no box becomes a part of its bill or booking.
 */

import { instantOf } from '../../core/values/time.ts'
import { keyOfDelivery } from '../delivery-key.ts'
import { IssueList, quoted } from '../source-issue.ts'
import type { ByteRange, Delivered, SpokenOf, ToldPart } from '../told.ts'
import { writeBody } from './body.ts'
import { cut315, cut322 } from './cuts.ts'
import { elementOf, isFault, readSegments, type Segment } from './interchange.ts'
import { type Envelope, type Message, readMessages } from './messages.ts'
import { readWallClock } from './moment.ts'
import { readNumbers, spokenOf } from './numbers.ts'
import type { X12Profile } from './profile.ts'

export function cutIntoParts(body: Buffer, profile: X12Profile): Delivered {
  const issues = new IssueList(1)
  const parts: ToldPart[] = []
  for (const item of readMessages(readSegments([body]))) {
    if (isFault(item)) issues.add(item.kind, item, item.detail)
    else if (item.kind === 'message' && item.isWhole)
      parts.push(...partsOfMessage(item, { body, profile, issues }))
  }
  return { parts, faults: issues.all() }
}

interface Context {
  readonly body: Buffer
  readonly profile: X12Profile
  readonly issues: IssueList
}

function partsOfMessage(message: Message, context: Context): readonly ToldPart[] {
  const { head } = message
  const type = elementOf(head, 1)
  const at = { path: `/${head.number}`, lost: 'event' } as const
  if (type !== '315' && type !== '322') {
    context.issues.add('unsupported_message', at, `${quoted(type)} is not a message type that is read`)
    return []
  }
  const cuts = type === '315' ? cut315(message.segments, context.issues) : cut322(message.segments)
  if (isAmplified(message, cuts)) {
    context.issues.add(
      'broken_syntax',
      at,
      'the message has too many statements about too many containers: send smaller messages',
    )
    return []
  }
  return cuts.flatMap((own, index) => {
    const isOnly = cuts.length === 1
    const part = partOf(message, { own, ordinal: isOnly ? null : index + 1 }, context)
    return part === null ? [] : [part]
  })
}

function partOf(
  message: Message,
  { own, ordinal }: { readonly own: readonly Segment[]; readonly ordinal: number | null },
  { body, profile, issues }: Context,
): ToldPart | null {
  const { head, end, envelope } = message
  const unread = new IssueList(1)
  const about: readonly SpokenOf[] = spokenOf(readNumbers(own, unread))
  if (about.length === 0) {
    const [why] = unread.all()
    const path = why?.path ?? `/${head.number}`
    const detail = why?.detail ?? 'the message names no container, bill or booking'
    issues.add(why?.kind ?? 'missing_field', { path, lost: 'event' }, detail)
    return null
  }
  const words = wordsOf(message, ordinal)
  const kept = writeBody(body, message, own)
  return {
    about,
    deliveryKey: words && keyOfDelivery(words, kept),
    writtenAt: writtenAtOf(envelope, profile),
    ranges: rangesOf([head, ...own, ...(end === null ? [] : [end])]),
    body: kept,
  }
}

/** The sender, and the control numbers of interchange, group and message. Null without an envelope. */
function wordsOf({ head, envelope }: Message, ordinal: number | null): string | null {
  const { interchange, group } = envelope
  if (interchange === null || group === null) return null
  const sender = `${elementOf(interchange, 5)}:${elementOf(interchange, 6)}`
  const numbers = [elementOf(interchange, 13), elementOf(group, 6), elementOf(head, 2)]
  return [sender, ...numbers, ...(ordinal === null ? [] : [`${ordinal}`])]
    .map((text) => text.slice(0, 40))
    .join('/')
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
 * Segments that hold for all boxes are repeated in each part. This limit keeps the parts from growing far beyond the
 * delivery.
 */
function isAmplified({ segments }: Message, cuts: readonly (readonly Segment[])[]): boolean {
  const bytesOf = (of: readonly Segment[]) => of.reduce((sum, { from, to }) => sum + to - from, 0)
  const bytes = cuts.reduce((sum, own) => sum + bytesOf(own), 0)
  return bytes > 64_000 + 4 * bytesOf(segments)
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
