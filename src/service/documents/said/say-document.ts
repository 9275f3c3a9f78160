/**
 * Enters what a document says now, and withdraws what it no longer says. It enters like all statements: as a delivery
 * through a channel that the account has for its documents and through which nobody else can send.
 */

import { LANDFALL_NAMESPACE, uuidV5 } from '../../../platform/ids.ts'
import type { DocumentType } from '../../../sources/documents/document.ts'
import { writeWord } from '../../../sources/documents/said/body.ts'
import { documentsLanguage } from '../../../sources/documents/said/documents.ts'
import { findToldChannel, insertToldChannel, type ToldChannel } from '../../../store/channels/channels.ts'
import type { Account } from '../../context.ts'
import { takeIn } from '../../hearing/intake/take-in.ts'
import { realNow, type Service } from '../../service.ts'
import { type KeptReading, saidFields } from './said-fields.ts'

export interface Reading extends KeptReading {
  readonly type: DocumentType
}

export interface Said {
  readonly account: Account
  readonly documentId: string
  /** What it says so by: the id of the reading or correction, or `deleted`. The same is said once. */
  readonly by: string
  /** When it was read, corrected or deleted. */
  readonly at: string
  /** Null for a document that was deleted. */
  readonly now: Reading | null
  readonly before: readonly Reading[]
}

/** Saying the same again changes nothing, so it may be cut off at any point and done once more. */
export async function sayDocument(service: Service, said: Said): Promise<void> {
  const { account, documentId, by, at, now, before } = said
  const fields = now === null ? [] : saidFields(now)
  const earlier = before.map((each) => ({ type: each.type, fields: saidFields(each) }))
  if (fields.length === 0 && earlier.every((each) => each.fields.length === 0)) return
  const word = { document: documentId, type: now?.type ?? 'unknown', at, fields, before: earlier } as const
  const channel = await channelOf(service, account)
  await takeIn(service, channel, {
    body: writeWord(word),
    contentType: 'application/json',
    idempotencyKey: `${documentId} ${by}`,
  })
}

/** The name has a sign that no channel of an operator may have, and the channel has no key: nobody can send through it. */
async function channelOf(service: Service, { id: accountId, isFiction }: Account): Promise<ToldChannel> {
  const name = `documents:${accountId}`
  const known = await findToldChannel(service.pool, name)
  if (known !== null) return known
  const channel: ToldChannel = {
    id: uuidV5(LANDFALL_NAMESPACE, `channel:${name}`),
    accountId,
    name,
    speakerKind: 'document',
    speakerCode: 'DOCUMENT',
    source: documentsLanguage,
    profile: {},
    isFirstHand: false,
    acknowledges: 'off',
    isFiction,
    isEnabled: true,
    createsRequests: false,
    createsPerDay: 1_000,
    folder: null,
  }
  await insertToldChannel(service.pool, { ...channel, createdAt: realNow(service) })
  return (await findToldChannel(service.pool, name)) ?? channel
}
