/**
 * Stores the message parts of a delivery: the bytes encrypted, and for each part which number of which party it is
 * about.
 */

import type { MessagePart } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { sendTrace } from '../../db/trace-notices.ts'
import { earlierOf } from '../../domain/values/time.ts'
import type { InboundChannel } from '../../modules/channels/inbound-channels-sql.ts'
import { noteCodes } from '../../modules/code-mappings/stated-codes-sql.ts'
import type { Service } from '../../modules/service.ts'
import { LANDFALL_NAMESPACE, uuidV5, uuidV7 } from '../../platform/ids.ts'
import { messagePartStatus } from '../ledger/parse-message-part.ts'
import { encryptSnapshot, hashDeliveryKey } from '../response-archive/encrypted-bodies.ts'
import { type EncryptedSnapshot, storeSnapshots } from '../response-archive/snapshots-sql.ts'
import { type InboundMessage, insertMentions, type NewMention, recordIngestedParts } from './inbound-messages-sql.ts'
import { ensurePushTargets } from './push-targets-sql.ts'
import type { ReadMessagePart } from './read-message-parts.ts'

export interface EncryptedPart extends ReadMessagePart {
  readonly snapshot: Omit<EncryptedSnapshot, 'subjectId'>
  readonly deliveryKey: string | null
}

export function encryptPart(
  { encryption, clock }: Service,
  { contentType, receivedAt: recordedAt }: InboundMessage,
  read: ReadMessagePart,
): EncryptedPart {
  const { part: messagePart } = read
  const snapshotFields = { id: uuidV7(clock.now()), status: messagePartStatus, contentType, recordedAt }
  const snapshot = {
    ...snapshotFields,
    ...encryptSnapshot(encryption, { ...snapshotFields, body: messagePart.body }),
  }
  // The sender's key may follow from the content, and nobody must be able to find the content by trying.
  return { ...read, snapshot, deliveryKey: hashDeliveryKey(encryption, messagePart) }
}

/** Returns the places of the message parts that are new. */
export async function storeParts(
  db: Db,
  of: { readonly channel: InboundChannel; readonly message: InboundMessage; readonly from: number },
  read: readonly EncryptedPart[],
): Promise<ReadonlySet<number>> {
  const { channel, message, from } = of
  const { id: messageId, receivedAt } = message
  const pollTargets = await ensurePushTargets(db, {
    channelId: channel.id,
    scac: channel.speakerCode,
    at: receivedAt,
    targets: read.flatMap(({ about: [messageSubject] }) => (messageSubject === undefined ? [] : [messageSubject])),
  })
  const pollTargetIdOf = ({ about: [messageSubject] }: EncryptedPart): string =>
    requireId(pollTargets.get(`${messageSubject?.kind} ${messageSubject?.number}`))
  const snapshots = await storeSnapshots(
    db,
    read.map((each) => ({ ...each.snapshot, subjectId: pollTargetIdOf(each) })),
  )
  const mentions = read.map((each, place): NewMention => {
    const { part: messagePart, about, isUnmapped, deliveryKey } = each
    const number = from + place + 1
    return {
      id: uuidV5(LANDFALL_NAMESPACE, `mention:${messageId}:${number}`),
      messageId,
      channelId: channel.id,
      accountId: channel.accountId,
      subjectId: pollTargetIdOf(each),
      snapshotId: requireId(snapshots[place]),
      part: number,
      // Without an id of the sender, everything that is received is a new delivery.
      deliveryKey: deliveryKey ?? `${messageId} ${number}`,
      keyInClear: messagePart.deliveryKey,
      standsAt: effectiveSinceOf(messagePart, receivedAt),
      receivedAt,
      about,
      ranges: messagePart.ranges,
      isUnmapped,
    }
  })
  const made = await insertMentions(db, mentions)
  const mentionedCodes = mentions.flatMap(({ id: mentionId, channelId }, place) => {
    const codes = read[place]?.codes ?? []
    return made.has(mentionId) && codes.length > 0 ? [{ mentionId, channelId, receivedAt, codes }] : []
  })
  await noteCodes(db, mentionedCodes)
  await recordIngestedParts(db, { messageId, parts: from + read.length })
  await sendTrace(db, [...made.keys()])
  return new Set(mentions.flatMap(({ id }, place) => (made.has(id) ? [place] : [])))
}

function requireId(id: string | undefined): string {
  if (id === undefined) throw new Error('a part of the delivery was not stored')
  return id
}

/** When the message was written, as it states, but not later than it was received. */
export function effectiveSinceOf({ writtenAt }: MessagePart, receivedAt: string): string {
  return writtenAt === null ? receivedAt : earlierOf(writtenAt, receivedAt)
}
