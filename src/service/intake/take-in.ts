/**
 * Takes in what came unasked, in one transaction: the delivery is kept as it came, cut into parts, and each part noted as
 * speaking of its subject. Who hears it is found out after the commit.
 */

import { createHash } from 'node:crypto'
import { earlierOf } from '../../core/time.ts'
import { LANDFALL_NAMESPACE, uuidV5, uuidV7 } from '../../platform/ids.ts'
import type { Reading } from '../../sources/source.ts'
import type { SourceIssue } from '../../sources/source-issue.ts'
import type { SpokenOf, ToldPart } from '../../sources/told.ts'
import { findToldSource } from '../../sources/told-registry.ts'
import type { ToldChannel } from '../../store/channels.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import {
  type InboundMessage,
  insertMentions,
  keepInboundMessage,
  type Mention,
  noteTaken,
} from '../../store/inbound-messages.ts'
import { keepSnapshots } from '../../store/snapshots.ts'
import { ensureToldSubjects } from '../../store/told-subjects.ts'
import { wake } from '../../store/wake.ts'
import { ServiceError } from '../errors.ts'
import { tidyMentioned } from '../ledger/known-numbers.ts'
import { readTold } from '../ledger/read-told.ts'
import { takeAgain } from '../ledger/take-again.ts'
import { journeyNow, type Service } from '../service.ts'
import { acknowledge } from './acknowledge.ts'

export interface Delivery {
  readonly body: Buffer
  readonly contentType: string | null
  /** The sender's own; a second delivery under it is the first one. */
  readonly idempotencyKey: string | null
}

export interface TakenIn {
  readonly messageId: string
  /** Sent before under the same key: nothing was taken in again. */
  readonly isRepeated: boolean
  readonly items: readonly TakenPart[]
  readonly faults: readonly SourceIssue[]
  /** Written in answer, where the channel wants that. */
  readonly acknowledgement: Buffer | null
}

export interface TakenPart {
  readonly part: number
  readonly about: readonly SpokenOf[]
  /** `repeated`: this delivery of the sender was heard before; `unmapped`: nothing in it is understood yet. */
  readonly result: 'accepted' | 'repeated' | 'unmapped'
  readonly issues: readonly SourceIssue[]
}

/** More are taken in by several transactions: one that is broken off goes on where it stopped when it is sent again. */
const partsAtOnce = 1_000

export async function takeIn(service: Service, channel: ToldChannel, delivery: Delivery): Promise<TakenIn> {
  const source = findToldSource(channel.source)
  if (source === null) throw new Error(`nothing is told in ${channel.source}`)
  const { parts, faults } = source.partsOf(delivery.body, channel.profile)
  const message = messageOf(service, channel, delivery, { parts: parts.length, faults })
  const items: TakenPart[] = []
  let messageId = message.id
  let isRepeated = false
  let acknowledgement: Buffer | null = null
  let from = 0
  do {
    const next = parts.slice(from, from + partsAtOnce)
    const read = next.map((part) => readPart(channel, part, message.receivedAt))
    const done = await takeAgain(() =>
      inTransaction(service.pool, async (db) => {
        const kept = await keepInboundMessage(db, { ...message, id: messageId })
        if (!kept.contentHash.equals(message.contentHash)) throw otherBody()
        const isOver = !kept.isNew && kept.partsTaken >= kept.parts
        if (isOver || kept.partsTaken !== from || kept.parts !== parts.length)
          return { ...kept, accepted: null, answer: kept.acknowledgement }
        const of = { channel, message: { ...message, id: kept.id }, from }
        const accepted = await keepParts(service, db, of, read)
        if (accepted.size > 0) await wake(db, 'mentions')
        const { body, receivedAt: at } = message
        const answer = from > 0 ? null : await acknowledge(db, channel, { messageId: kept.id, body, at })
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

/** What is sent under a key that another delivery has would be lost if it were taken for that one. */
function otherBody(): ServiceError {
  return new ServiceError(
    'invalid',
    'This `Idempotency-Key` was used for another body: give each delivery its own.',
    {
      source: { header: 'Idempotency-Key' },
    },
  )
}

function messageOf(
  service: Service,
  channel: ToldChannel,
  { body, contentType, idempotencyKey }: Delivery,
  read: { readonly parts: number; readonly faults: readonly SourceIssue[] },
): InboundMessage {
  return {
    id: uuidV7(service.clock.now()),
    channelId: channel.id,
    accountId: channel.accountId,
    idempotencyKey,
    contentType,
    contentHash: createHash('sha256').update(body).digest(),
    body,
    receivedAt: journeyNow(service, channel.isFiction),
    ...read,
  }
}

interface ReadPart {
  readonly part: ToldPart
  readonly about: readonly SpokenOf[]
  readonly issues: readonly SourceIssue[]
  readonly isUnmapped: boolean
}

/** Read for what the sender is told of it; what it says is read again by whoever hears it. */
function readPart(channel: ToldChannel, part: ToldPart, recordedAt: string): ReadPart {
  const about = part.about.map(({ kind, number }) => ({ kind, number: tidyMentioned(number) }))
  const [subject] = about
  if (subject === undefined) throw new Error('a part speaks of nothing')
  const snapshot = { status: 200, contentType: null, body: part.body, recordedAt }
  const of = { speaker: channel.speakerKind, subject }
  const { reading } = readTold({ findToldSource }, snapshot, of, channel)
  return { part, about, issues: reading.issues, isUnmapped: isUnmapped(reading) }
}

/** Something in it waits for an operator to say what it means. */
export function isUnmapped({ issues }: Pick<Reading, 'issues'>): boolean {
  return issues.some(({ kind }) => kind === 'unmapped_code')
}

/** Places of the parts that are new. */
async function keepParts(
  service: Service,
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
    read.map((each) => ({
      id: uuidV7(service.clock.now()),
      subjectId: subjectOf(each),
      contentHash: createHash('sha256').update('200\n').update(each.part.body).digest(),
      status: 200,
      contentType: message.contentType,
      body: each.part.body,
      recordedAt: receivedAt,
    })),
  )
  const mentions = read.map((each, place): Mention => {
    const { part, about, isUnmapped } = each
    const number = from + place + 1
    return {
      id: uuidV5(LANDFALL_NAMESPACE, `mention:${messageId}:${number}`),
      messageId,
      channelId: channel.id,
      accountId: channel.accountId,
      subjectId: subjectOf(each),
      snapshotId: found(snapshots[place]),
      part: number,
      // Without the sender's own id each receipt is a delivery.
      deliveryKey: part.deliveryKey ?? `${messageId} ${number}`,
      standsAt: standsAt(part, receivedAt),
      receivedAt,
      about,
      ranges: part.ranges,
      isUnmapped,
    }
  })
  const made = await insertMentions(db, mentions)
  await noteTaken(db, { messageId, parts: from + read.length })
  return new Set(mentions.flatMap(({ id }, place) => (made.has(id) ? [place] : [])))
}

function found(id: string | undefined): string {
  if (id === undefined) throw new Error('a part of the delivery was not kept')
  return id
}

/** When the message says that it was written; nobody writes later than what is received. */
function standsAt({ writtenAt }: ToldPart, receivedAt: string): string {
  return writtenAt === null ? receivedAt : earlierOf(writtenAt, receivedAt)
}
