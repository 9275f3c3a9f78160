/**
 * Cuts a delivery into message parts and reads each to show the sender what is wrong with it. A part is read again when
 * it is used for a shipment.
 */

import { writeAcknowledgements } from '../../connectors/edifact/acknowledgement.ts'
import type { MentionedNumber, MessagePart, UpdateNotice } from '../../connectors/pushed-source.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { SourceIssue, StatedCode } from '../../connectors/source-issue.ts'
import { writeAcknowledgement } from '../../connectors/x12/acknowledgement.ts'
import type { AcknowledgementType, InboundChannel } from '../../modules/channels/inbound-channels-sql.ts'
import { type Operators, operatorsIn } from '../../modules/inference/operators-in.ts'
import { normalizeMentionedNumber } from '../ledger/known-numbers.ts'
import { isUnmapped, messagePartStatus, parseMessagePart } from '../ledger/parse-message-part.ts'

export interface UnreadDelivery {
  readonly body: Buffer
  readonly contentType: string | null
  readonly receivedAt: string
  readonly channel: Pick<InboundChannel, 'speakerKind' | 'source' | 'profile'>
  /** Places of the message parts without news, which are left out. */
  readonly known: ReadonlySet<number>
  /** Whether the operators of containers are needed. */
  readonly hasOperators: boolean
}

export interface ReadMessagePart {
  readonly part: MessagePart
  readonly about: readonly MentionedNumber[]
  readonly issues: readonly SourceIssue[]
  readonly isUnmapped: boolean
  readonly codes: readonly StatedCode[]
}

export interface SplitDelivery {
  readonly messageParts: readonly MessagePart[]
  readonly faults: readonly SourceIssue[]
  readonly announced: UpdateNotice | undefined
  readonly operators: Operators
}

export function splitChannelDelivery({ body, channel, known, hasOperators }: UnreadDelivery): SplitDelivery {
  const source = findPushedSource(channel.source)
  if (source === null) throw new Error(`no channel can have the language ${channel.source}`)
  const { parts: messageParts, faults, updateNotice: announced } = source.splitDelivery(body, channel.profile)
  return {
    messageParts: known.size === 0 ? messageParts : messageParts.filter((_, place) => !known.has(place)),
    faults,
    announced,
    operators: hasOperators ? operatorsIn(body) : new Map(),
  }
}

export function readMessagePart(
  { channel, contentType, receivedAt: recordedAt }: Omit<UnreadDelivery, 'body'>,
  messagePart: MessagePart,
): ReadMessagePart {
  const about = messagePart.about.map(({ kind, number }) => ({
    kind,
    number: normalizeMentionedNumber(number),
  }))
  const [messageSubject] = about
  if (messageSubject === undefined) throw new Error('a part names no number')
  const partSnapshot = { status: messagePartStatus, contentType, body: messagePart.body, recordedAt }
  const { reading } = parseMessagePart(
    { findPushedSource },
    partSnapshot,
    { speaker: channel.speakerKind, messageSubject },
    channel,
  )
  const { issues, codes = [] } = reading
  return { part: messagePart, about, issues, codes, isUnmapped: isUnmapped(reading) }
}

export interface AcknowledgementRequest {
  readonly kind: Exclude<AcknowledgementType, 'off'>
  readonly at: string
  /** The last control number that the channel used. */
  readonly last: number
}

export interface WrittenAcknowledgement {
  /** Empty when there is nothing to acknowledge. */
  readonly bytes: Uint8Array
  readonly last: number
}

const controlNumberMax = 999_999_999

export function buildAcknowledgement(
  body: Buffer,
  { kind, at, last: before }: AcknowledgementRequest,
): WrittenAcknowledgement {
  let last = before
  const next = (): number => {
    last = (last % controlNumberMax) + 1
    return last
  }
  const bytes =
    kind === 'contrl'
      ? Buffer.concat(writeAcknowledgements(body, { at, nextReference: () => String(next()) }))
      : writeAcknowledgement(body, { kind, now: at, nextControlNumber: next })
  return { bytes: bytes ?? Buffer.alloc(0), last }
}
