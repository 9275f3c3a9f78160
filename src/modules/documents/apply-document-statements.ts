/**
 * Enters the present statements of a document, and withdraws those that it no longer makes. They enter like all
 * statements: as a delivery through a channel that the account has for its documents and through which nobody else can
 * send.
 */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { writeDocumentStatement } from '../../connectors/papers/statements/document-statement.ts'
import { documentsLanguage } from '../../connectors/papers/statements/documents-source.ts'
import { ingestDelivery } from '../../pipeline/ingestion/ingest-delivery.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../platform/ids.ts'
import type { Account } from '../access/context.ts'
import { findInboundChannel, type InboundChannel, insertInboundChannel } from '../channels/inbound-channels-sql.ts'
import { realNow, type Service } from '../service.ts'
import { type StoredReading, toStatedFields } from './stated-fields.ts'

export interface TypedReading extends StoredReading {
  readonly type: DocumentType
}

export interface DocumentStatement {
  readonly account: Account
  readonly documentId: string
  /** The origin of the statements: the id of the reading or correction, or `deleted`. One origin is entered once. */
  readonly by: string
  /** When it was read, corrected or deleted. */
  readonly at: string
  /** Null for a document that was deleted. */
  readonly now: TypedReading | null
  readonly before: readonly TypedReading[]
}

/** Saying the same again changes nothing, so it may be cut off at any point and done once more. */
export async function applyDocumentStatements(service: Service, statement: DocumentStatement): Promise<void> {
  const { account, documentId, by, at, now, before } = statement
  const fields = now === null ? [] : toStatedFields(now)
  const earlier = before.map((each) => ({ type: each.type, fields: toStatedFields(each) }))
  if (fields.length === 0 && earlier.every((each) => each.fields.length === 0)) return
  const content = { document: documentId, type: now?.type ?? 'unknown', at, fields, before: earlier } as const
  const channel = await channelOf(service, account)
  await ingestDelivery(service, channel, {
    body: writeDocumentStatement(content),
    contentType: 'application/json',
    idempotencyKey: `${documentId} ${by}`,
  })
}

/** The name has a sign that no channel of an operator may have, and the channel has no key: nobody can send through it. */
async function channelOf(service: Service, { id: accountId, isSandbox }: Account): Promise<InboundChannel> {
  const name = `documents:${accountId}`
  const known = await findInboundChannel(service.pool, name)
  if (known !== null) return known
  const channel: InboundChannel = {
    id: uuidV5(LANDFALL_NAMESPACE, `channel:${name}`),
    accountId,
    name,
    speakerKind: 'document',
    speakerCode: 'DOCUMENT',
    source: documentsLanguage,
    profile: {},
    isFirstHand: false,
    acknowledges: 'off',
    isSandbox,
    isEnabled: true,
    createsRequests: false,
    createsPerDay: 1_000,
    folder: null,
  }
  await insertInboundChannel(service.pool, { ...channel, createdAt: realNow(service) })
  return (await findInboundChannel(service.pool, name)) ?? channel
}
