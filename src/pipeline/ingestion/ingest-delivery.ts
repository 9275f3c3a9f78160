/**
 * Ingests what a partner sent: stores the delivery encrypted, divides it into message parts, and records for each part
 * its poll target. The shipments that it concerns are found after the commit.
 */

import { createHash } from 'node:crypto'
import type { MentionedNumber, UpdateNotice } from '../../connectors/pushed-source.ts'
import type { SourceIssue } from '../../connectors/source-issue.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import {
  type InboundChannel,
  lockControlNumber,
  noteControlNumber,
} from '../../modules/channels/inbound-channels-sql.ts'
import { findPollConfig } from '../../modules/channels/polled-channels-sql.ts'
import { ServiceError } from '../../modules/errors.ts'
import {
  type LabelledMessagePart,
  labelMessageParts,
  learnsOperators,
} from '../../modules/inference/label-message-parts.ts'
import { journeyNow, realNow, type Service } from '../../modules/service.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { inSlices } from '../../platform/in-slices.ts'
import { withSpan } from '../../platform/traces.ts'
import { spellingsOf } from '../ledger/known-numbers.ts'
import { retryOnConflict } from '../ledger/retry-on-conflict.ts'
import { encryptMessage } from '../response-archive/encrypted-bodies.ts'
import { pollNumbersNow } from '../terminal-polling/polled-numbers-sql.ts'
import type { ChannelCapacity } from './channel-quotas.ts'
import { type InboundMessage, storeAcknowledgement, storeInboundMessage } from './inbound-messages-sql.ts'
import { type MessagePartReader, openPartReader } from './message-part-reader.ts'
import { type EncryptedPart, effectiveSinceOf, encryptPart, storeParts } from './store-parts.ts'

export interface Delivery {
  readonly body: Buffer
  readonly contentType: string | null
  /** The sender's own key. A second delivery with the same key counts as the first one. */
  readonly idempotencyKey: string | null
  /** Places of the message parts without news, which are left out. Only for a delivery that one transaction ingests. */
  readonly known?: ReadonlySet<number>
  /** Refuses the delivery when its channel has too many message parts under way. */
  readonly capacity?: ChannelCapacity
}

export interface IngestResult {
  readonly messageId: string
  /** The delivery was sent before with the same key. What was ingested then is not ingested again. */
  readonly isRepeated: boolean
  readonly items: readonly IngestedPart[]
  readonly faults: readonly SourceIssue[]
  /** The acknowledgement, if the channel wants one. */
  readonly acknowledgement: Buffer | null
}

export interface IngestedPart {
  readonly part: number
  readonly about: readonly MentionedNumber[]
  /** `repeated`: this delivery of the sender came before; `unmapped`: it has a code that nobody has mapped yet. */
  readonly result: 'accepted' | 'repeated' | 'unmapped'
  readonly issues: readonly SourceIssue[]
}

/** Maximum message parts of a delivery of which some are known, because one transaction ingests it. */
export const partsPerTransaction = 1_000
/**
 * Message parts in one transaction of any other delivery: so few that writing them delays no other request. A delivery
 * that is interrupted continues where it stopped when it is sent again.
 */
const partsPerSlice = 250

export function ingestDelivery(service: Service, channel: InboundChannel, delivery: Delivery): Promise<IngestResult> {
  const attributes = { 'landfall.who': channel.speakerCode, 'landfall.channel_id': channel.id }
  return withSpan(
    'ingest',
    () => ({ attributes }),
    async (ingestSpan) => {
      const ingestResult = await ingestParts(service, channel, delivery)
      ingestSpan.set({
        'landfall.message_id': ingestResult.messageId,
        'landfall.parts': ingestResult.items.length,
      })
      return ingestResult
    },
  )
}

async function ingestParts(service: Service, channel: InboundChannel, delivery: Delivery): Promise<IngestResult> {
  const { body, contentType, known } = delivery
  const receivedAt = journeyNow(service, channel.isSandbox)
  const { speakerKind, source, profile } = channel
  const reader = await openPartReader(service, {
    body,
    contentType,
    receivedAt,
    channel: { speakerKind, source, profile },
    known: known ?? new Set(),
    hasOperators: learnsOperators(channel),
  })
  try {
    delivery.capacity?.holdParts(reader.count)
    return await ingestPartSlices(service, channel, { delivery, reader, receivedAt })
  } finally {
    reader.close()
  }
}

async function ingestPartSlices(
  service: Service,
  channel: InboundChannel,
  of: { readonly delivery: Delivery; readonly reader: MessagePartReader; readonly receivedAt: string },
): Promise<IngestResult> {
  const { delivery, reader, receivedAt } = of
  const { announced: announcement, count, packed } = reader
  const isPolled = announcement !== undefined && (await pollAnnounced(service, channel, announcement))
  const faults =
    announcement === undefined || isPolled ? reader.faults : [...reader.faults, announcement.notPolledIssue]
  const message = messageOf(service, channel, delivery, { packed, receivedAt, parts: count, faults })
  const atOnce = delivery.known === undefined ? partsPerSlice : partsPerTransaction
  const items: IngestedPart[] = []
  let messageId = message.id
  let isRepeated = false
  let acknowledgement: Buffer | null = null
  let from = 0
  do {
    const { messageParts, operators } = await reader.read(from, Math.min(from + atOnce, count))
    const read = await inSlices(messageParts, (messagePart) => encryptPart(service, message, messagePart))
    const done = await retryOnConflict(() =>
      inTransaction(service.pool, async (db) => {
        const storedMessage = await storeInboundMessage(db, { ...message, id: messageId })
        if (!isSameBody(storedMessage.contentHash, message, delivery.body)) throw reusedKeyError()
        const isOver = !storedMessage.isNew && storedMessage.partsIngested >= storedMessage.parts
        if (isOver || storedMessage.partsIngested !== from || storedMessage.parts !== count)
          return { ...storedMessage, accepted: null, answer: storedMessage.acknowledgement }
        const accepted = await storeParts(db, { channel, message: { ...message, id: storedMessage.id }, from }, read)
        if (accepted.size > 0) wakeWorkers(db, 'mentions')
        const taught = [...accepted].flatMap((place) => toLabelledParts(read[place], receivedAt))
        await labelMessageParts(db, channel, { messageParts: taught, operators })
        const answered = { messageId: storedMessage.id, reader, at: receivedAt }
        const answer = from > 0 ? null : await acknowledgeDelivery(db, channel, answered)
        return { ...storedMessage, accepted, answer }
      }),
    )
    messageId = done.id
    acknowledgement ??= done.answer
    if (done.accepted === null) {
      isRepeated = true
      if (done.partsIngested >= done.parts || done.parts !== count) break
      from = done.partsIngested
      continue
    }
    for (const [place, { about, issues, isUnmapped }] of read.entries()) {
      const result = !done.accepted.has(place) ? 'repeated' : isUnmapped ? 'unmapped' : 'accepted'
      items.push({ part: from + place + 1, about, result, issues })
    }
    from += read.length
  } while (from < count)
  return { messageId, isRepeated, items, faults, acknowledgement }
}

/** Deliveries that were stored before bodies were encrypted have a hash without a secret key. */
function isSameBody(storedHash: Buffer, { contentHash }: Pick<InboundMessage, 'contentHash'>, body: Buffer): boolean {
  return storedHash.equals(contentHash) || storedHash.equals(createHash('sha256').update(body).digest())
}

/**
 * Polls the channel at once about the numbers that a delivery only announces. False when the channel is not polled at
 * all.
 */
async function pollAnnounced(
  service: Service,
  { id: channelId, speakerCode }: InboundChannel,
  { numbers }: UpdateNotice,
): Promise<boolean> {
  if ((await findPollConfig(service.pool, channelId)) === null) return false
  const spelled = numbers.flatMap(({ kind, number }) =>
    spellingsOf(speakerCode, number).map((spelling) => ({ kind, number: spelling })),
  )
  await pollNumbersNow(service.pool, { channelId, numbers: spelled, at: realNow(service) })
  return true
}

/** A delivery with the key of another one would be lost if it counted as that one, so it is refused. */
function reusedKeyError(): ServiceError {
  return new ServiceError(
    'invalid',
    'This `Idempotency-Key` was used for another body: use a new key for each delivery.',
    {
      source: { header: 'Idempotency-Key' },
    },
  )
}

function messageOf(
  service: Service,
  channel: InboundChannel,
  { body, contentType, idempotencyKey }: Delivery,
  { packed, ...read }: Pick<InboundMessage, 'receivedAt' | 'parts' | 'faults'> & { readonly packed: Buffer },
): InboundMessage {
  const id = uuidV7(service.clock.now())
  return {
    id,
    channelId: channel.id,
    accountId: channel.accountId,
    idempotencyKey,
    contentType,
    ...encryptMessage(service.encryption, { id, body, packed }),
    byteCount: body.byteLength,
    ...read,
  }
}

function toLabelledParts(read: EncryptedPart | undefined, receivedAt: string): readonly LabelledMessagePart[] {
  return read === undefined ? [] : [{ about: read.about, at: effectiveSinceOf(read.part, receivedAt) }]
}

/**
 * Writes the acknowledgement of an interchange, if its channel wants one: 997 or 999 for X12, CONTRL for EDIFACT. Runs in
 * the transaction that stores the delivery. If that is rolled back, so are its control numbers: there are no
 * gaps. Null when there is nothing to acknowledge. An acknowledgement is never acknowledged.
 */
async function acknowledgeDelivery(
  db: Db,
  channel: InboundChannel,
  of: { readonly messageId: string; readonly reader: MessagePartReader; readonly at: string },
): Promise<Buffer | null> {
  const { acknowledges: kind } = channel
  if (kind === 'off') return null
  const before = await lockControlNumber(db, channel.id)
  const { bytes, last } = await of.reader.acknowledge({ kind, at: of.at, last: before })
  if (last !== before) await noteControlNumber(db, { channelId: channel.id, last })
  if (bytes.length === 0) return null
  const acknowledgement = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  await storeAcknowledgement(db, { messageId: of.messageId, acknowledgement })
  return acknowledgement
}
