/**
 * Stores what a partner sent: stores the delivery encrypted, divides it into parts, and records for each part which
 * subject it is about. The shipments that it concerns are found after the commit.
 */

import { createHash } from 'node:crypto'
import { earlierOf } from '../../../core/values/time.ts'
import { LANDFALL_NAMESPACE, uuidV5, uuidV7 } from '../../../platform/ids.ts'
import { span } from '../../../platform/traces.ts'
import type { Reading } from '../../../sources/source.ts'
import type { SaidCode, SourceIssue } from '../../../sources/source-issue.ts'
import type { Announced, SpokenOf, ToldPart } from '../../../sources/told.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import { findAsking } from '../../../store/channels/asked-channels.ts'
import { askNow } from '../../../store/channels/asked-numbers.ts'
import type { ToldChannel } from '../../../store/channels/channels.ts'
import { type Db, inTransaction } from '../../../store/database.ts'
import { handOnTrace } from '../../../store/ground/trace-notices.ts'
import { wake } from '../../../store/ground/wake.ts'
import {
  type InboundMessage,
  insertMentions,
  keepInboundMessage,
  type NewMention,
  noteTaken,
} from '../../../store/inbound/inbound-messages.ts'
import { noteCodes } from '../../../store/inbound/said-codes.ts'
import { keepSnapshots, type SealedSnapshot } from '../../../store/looks/snapshots.ts'
import { ensureToldSubjects } from '../../../store/looks/told-subjects.ts'
import { ServiceError } from '../../errors.ts'
import { keyedDelivery, sealedMessage, sealedSnapshot } from '../../ground/sealed-bodies.ts'
import { type LabelledPart, labelTold } from '../../inference/label-told.ts'
import { spellingsOf, tidyMentioned } from '../../ledger/known-numbers.ts'
import { readTold } from '../../ledger/read-told.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { acknowledge } from './acknowledge.ts'

export interface Delivery {
  readonly body: Buffer
  readonly contentType: string | null
  /** The sender's own key. A second delivery with the same key counts as the first one. */
  readonly idempotencyKey: string | null
  /**
   * Places of the parts that say nothing new, which are left out. Only for a delivery that one transaction takes in.
   */
  readonly known?: ReadonlySet<number>
}

export interface TakenIn {
  readonly messageId: string
  /** The delivery was sent before with the same key. What was taken in then is not taken in again. */
  readonly isRepeated: boolean
  readonly items: readonly TakenPart[]
  readonly faults: readonly SourceIssue[]
  /** The acknowledgement, if the channel wants one. */
  readonly acknowledgement: Buffer | null
}

export interface TakenPart {
  readonly part: number
  readonly about: readonly SpokenOf[]
  /** `repeated`: this delivery of the sender came before; `unmapped`: it has a code that nobody has mapped yet. */
  readonly result: 'accepted' | 'repeated' | 'unmapped'
  readonly issues: readonly SourceIssue[]
}

/** The status under which a part is kept as a snapshot. */
export const partStatus = 200

/**
 * Maximum parts of one transaction. A delivery with more parts that is interrupted continues where it stopped when it
 * is sent again.
 */
export const partsAtOnce = 1_000

export function takeIn(service: Service, channel: ToldChannel, delivery: Delivery): Promise<TakenIn> {
  const attributes = { 'landfall.who': channel.speakerCode, 'landfall.channel_id': channel.id }
  return span(
    'ingest',
    () => ({ attributes }),
    async (told) => {
      const taken = await takeParts(service, channel, delivery)
      told.set({ 'landfall.message_id': taken.messageId, 'landfall.parts': taken.items.length })
      return taken
    },
  )
}

async function takeParts(service: Service, channel: ToldChannel, delivery: Delivery): Promise<TakenIn> {
  const source = findToldSource(channel.source)
  if (source === null) throw new Error(`no channel can speak ${channel.source}`)
  const { parts: all, faults: unread, announced } = source.partsOf(delivery.body, channel.profile)
  const parts = all.filter((_, place) => delivery.known?.has(place) !== true)
  const isAsked = announced !== undefined && (await askAnnounced(service, channel, announced))
  const faults = announced === undefined || isAsked ? unread : [...unread, announced.unasked]
  const message = messageOf(service, channel, delivery, { parts: parts.length, faults })
  const items: TakenPart[] = []
  let messageId = message.id
  let isRepeated = false
  let acknowledgement: Buffer | null = null
  let from = 0
  do {
    const next = parts.slice(from, from + partsAtOnce)
    const read = next.map((part) => readPart(service, channel, message, part))
    const done = await takeAgain(() =>
      inTransaction(service.pool, async (db) => {
        const kept = await keepInboundMessage(db, { ...message, id: messageId })
        if (!isSameBody(kept.contentHash, message, delivery.body)) throw otherBody()
        const isOver = !kept.isNew && kept.partsTaken >= kept.parts
        if (isOver || kept.partsTaken !== from || kept.parts !== parts.length)
          return { ...kept, accepted: null, answer: kept.acknowledgement }
        const of = { channel, message: { ...message, id: kept.id }, from }
        const accepted = await keepParts(db, of, read)
        if (accepted.size > 0) await wake(db, 'mentions')
        const taught = [...accepted].flatMap((place) => labelledPart(read[place], message.receivedAt))
        await labelTold(db, channel, { parts: taught, body: delivery.body })
        const answered = { messageId: kept.id, body: delivery.body, at: message.receivedAt }
        const answer = from > 0 ? null : await acknowledge(db, channel, answered)
        return { ...kept, accepted, answer }
      }),
    )
    messageId = done.id
    acknowledgement ??= done.answer
    if (done.accepted === null) {
      isRepeated = true
      if (done.partsTaken >= done.parts || done.parts !== parts.length) break
      from = done.partsTaken
      continue
    }
    for (const [place, { about, issues, isUnmapped }] of read.entries()) {
      const result = !done.accepted.has(place) ? 'repeated' : isUnmapped ? 'unmapped' : 'accepted'
      items.push({ part: from + place + 1, about, result, issues })
    }
    from += next.length
  } while (from < parts.length)
  return { messageId, isRepeated, items, faults, acknowledgement }
}

/** Deliveries that were kept before bodies were sealed have a hash without a secret key. */
function isSameBody(
  kept: Buffer,
  { contentHash }: Pick<InboundMessage, 'contentHash'>,
  body: Buffer,
): boolean {
  return kept.equals(contentHash) || kept.equals(createHash('sha256').update(body).digest())
}

/**
 * Asks the channel at once about the numbers that a delivery only announces. False when the channel is not asked at
 * all.
 */
async function askAnnounced(
  service: Service,
  { id: channelId, speakerCode }: ToldChannel,
  { numbers }: Announced,
): Promise<boolean> {
  if ((await findAsking(service.pool, channelId)) === null) return false
  const spelled = numbers.flatMap(({ kind, number }) =>
    spellingsOf(speakerCode, number).map((spelling) => ({ kind, number: spelling })),
  )
  await askNow(service.pool, { channelId, numbers: spelled, at: realNow(service) })
  return true
}

/** A delivery with the key of another one would be lost if it counted as that one, so it is refused. */
function otherBody(): ServiceError {
  return new ServiceError(
    'invalid',
    'This `Idempotency-Key` was used for another body: give each delivery its own.',
    { source: { header: 'Idempotency-Key' } },
  )
}

function messageOf(
  service: Service,
  channel: ToldChannel,
  { body, contentType, idempotencyKey }: Delivery,
  read: { readonly parts: number; readonly faults: readonly SourceIssue[] },
): InboundMessage {
  const id = uuidV7(service.clock.now())
  return {
    id,
    channelId: channel.id,
    accountId: channel.accountId,
    idempotencyKey,
    contentType,
    ...sealedMessage(service.vault, { id, body }),
    byteCount: body.byteLength,
    receivedAt: journeyNow(service, channel.isFiction),
    ...read,
  }
}

function labelledPart(read: ReadPart | undefined, receivedAt: string): readonly LabelledPart[] {
  return read === undefined ? [] : [{ about: read.about, at: standsAt(read.part, receivedAt) }]
}

interface ReadPart {
  readonly part: ToldPart
  readonly about: readonly SpokenOf[]
  readonly issues: readonly SourceIssue[]
  readonly isUnmapped: boolean
  readonly codes: readonly SaidCode[]
  readonly snapshot: Omit<SealedSnapshot, 'subjectId'>
  readonly deliveryKey: string | null
}

/** Reads a part to show the sender what is wrong with it. The part is read again when it is used for a shipment. */
function readPart(
  { vault, clock }: Service,
  channel: ToldChannel,
  { contentType, receivedAt: recordedAt }: InboundMessage,
  part: ToldPart,
): ReadPart {
  const about = part.about.map(({ kind, number }) => ({ kind, number: tidyMentioned(number) }))
  const [subject] = about
  if (subject === undefined) throw new Error('a part names no number')
  const id = uuidV7(clock.now())
  const said = { id, status: partStatus, contentType, body: part.body, recordedAt }
  const of = { speaker: channel.speakerKind, subject }
  const { reading } = readTold({ findToldSource }, said, of, channel)
  const { body: _, ...kept } = said
  const snapshot = { ...kept, ...sealedSnapshot(vault, said) }
  // The sender's key may follow from the content, and nobody must be able to find the content by trying.
  const deliveryKey = keyedDelivery(vault, part)
  const { issues, codes = [] } = reading
  return { part, about, issues, codes, isUnmapped: isUnmapped(reading), snapshot, deliveryKey }
}

/** True when the part has a code of which an operator has not said yet what it means. */
export function isUnmapped({ issues }: Pick<Reading, 'issues'>): boolean {
  return issues.some(({ kind }) => kind === 'unmapped_code')
}

/** Returns the places of the parts that are new. */
async function keepParts(
  db: Db,
  of: { readonly channel: ToldChannel; readonly message: InboundMessage; readonly from: number },
  read: readonly ReadPart[],
): Promise<ReadonlySet<number>> {
  const { channel, message, from } = of
  const { id: messageId, receivedAt } = message
  const subjects = await ensureToldSubjects(db, {
    channelId: channel.id,
    scac: channel.speakerCode,
    at: receivedAt,
    subjects: read.flatMap(({ about: [subject] }) => (subject === undefined ? [] : [subject])),
  })
  const subjectOf = ({ about: [subject] }: ReadPart): string =>
    found(subjects.get(`${subject?.kind} ${subject?.number}`))
  const snapshots = await keepSnapshots(
    db,
    read.map((each) => ({ ...each.snapshot, subjectId: subjectOf(each) })),
  )
  const mentions = read.map((each, place): NewMention => {
    const { part, about, isUnmapped, deliveryKey } = each
    const number = from + place + 1
    return {
      id: uuidV5(LANDFALL_NAMESPACE, `mention:${messageId}:${number}`),
      messageId,
      channelId: channel.id,
      accountId: channel.accountId,
      subjectId: subjectOf(each),
      snapshotId: found(snapshots[place]),
      part: number,
      // Without an id of the sender, everything that is received is a new delivery.
      deliveryKey: deliveryKey ?? `${messageId} ${number}`,
      keyInClear: part.deliveryKey,
      standsAt: standsAt(part, receivedAt),
      receivedAt,
      about,
      ranges: part.ranges,
      isUnmapped,
    }
  })
  const made = await insertMentions(db, mentions)
  const spoken = mentions.flatMap(({ id: mentionId, channelId }, place) => {
    const codes = read[place]?.codes ?? []
    return made.has(mentionId) && codes.length > 0 ? [{ mentionId, channelId, receivedAt, codes }] : []
  })
  await noteCodes(db, spoken)
  await noteTaken(db, { messageId, parts: from + read.length })
  await handOnTrace(db, [...made.keys()])
  return new Set(mentions.flatMap(({ id }, place) => (made.has(id) ? [place] : [])))
}

function found(id: string | undefined): string {
  if (id === undefined) throw new Error('a part of the delivery was not kept')
  return id
}

/** When the message says that it was written, but not later than it was received. */
function standsAt({ writtenAt }: ToldPart, receivedAt: string): string {
  return writtenAt === null ? receivedAt : earlierOf(writtenAt, receivedAt)
}
