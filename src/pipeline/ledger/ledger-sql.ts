/**
 * The append-only ledger of an account: every input, in the order in which it was ingested. A projection is a fold of
 * it.
 */

import type { Db } from '../../db/database.ts'
import { rulesVersion } from '../../domain/view/projection-rules.ts'
import { toColumnRecord } from '../projection/fold-rows-sql.ts'
import type { LedgerPayloads, MessageIngested } from './ledger-payload-sql.ts'

export const entryKinds = [
  'request_created',
  'look',
  'heard',
  'timer',
  'user_action',
  'vessel_arrival',
  'reprojected',
] as const
export type EntryKind = (typeof entryKinds)[number]
/** The other kind is only read, for as long as there are old ledgers. */
export type WrittenKind = Exclude<EntryKind, 'vessel_arrival'>

interface NewEntry<Kind extends EntryKind> {
  readonly accountId: string
  readonly kind: Kind
  readonly trackingRequestId: string | null
  readonly shipmentId: string | null
  readonly subjectId: string | null
  readonly snapshotId: string | null
  /** The reader of the snapshot, e.g. `dcsa/1`. */
  readonly reader: string | null
  /** Journey clock. */
  readonly recordedAt: string
  readonly payload: LedgerPayloads[Kind]
}

export interface EntryOf<Kind extends EntryKind> extends NewEntry<Kind> {
  readonly position: number
  /** The version of the merge rules by which it was folded. */
  readonly rules: number
}

/** One input of the ledger. */
export type LedgerEntry = { readonly [Kind in EntryKind]: EntryOf<Kind> }[EntryKind]

/** An entry for what came through a channel. */
export interface MessageEntry extends EntryOf<'heard'> {
  readonly payload: MessageIngested
}

export function isMessageEntry(entry: LedgerEntry): entry is MessageEntry {
  return entry.kind === 'heard' && (entry.payload.via ?? 'push') === 'push'
}

/** Columns of `ledger l`, all except the payload. */
export const entryColumns = `l.position, l.account_id as "accountId", l.kind, l.tracking_request_id as "trackingRequestId",
  l.shipment_id as "shipmentId", l.subject_id as "subjectId", l.snapshot_id as "snapshotId", l.reader,
  l.recorded_at as "recordedAt", coalesce(l.rules, 1) as rules`

/** Writes the entry and returns it with its position. */
export async function appendEntry<Kind extends EntryKind>(db: Db, entry: NewEntry<Kind>): Promise<EntryOf<Kind>> {
  const { rows } = await db.query<{ position: number }>({
    name: 'ledger_append',
    text: `insert into ledger
             (account_id, kind, tracking_request_id, shipment_id, subject_id, snapshot_id, reader, recorded_at, payload, rules)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           returning position`,
    values: [
      entry.accountId,
      entry.kind,
      entry.trackingRequestId,
      entry.shipmentId,
      entry.subjectId,
      entry.snapshotId,
      entry.reader,
      entry.recordedAt,
      JSON.stringify(entry.payload),
      rulesVersion,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the ledger gave no position')
  return { ...entry, position: row.position, rules: rulesVersion }
}

/**
 * Reserves positions for this many entries, in order. The caller first locks what the entries are about, so that the
 * order of positions is the order in which they are folded.
 */
export async function reservePositions(db: Db, count: number): Promise<readonly number[]> {
  if (count === 0) return []
  const { rows } = await db.query<{ position: number }>({
    name: 'ledger_positions',
    text: `select nextval(pg_get_serial_sequence('ledger', 'position')) as position from generate_series(1, $1)`,
    values: [count],
  })
  return rows.map(({ position }) => position).sort((a, b) => a - b)
}

/** Writes entries of one account at positions that were reserved before. */
export async function appendEntries(db: Db, entries: readonly LedgerEntry[]): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  if (entries.some(({ accountId }) => accountId !== first.accountId))
    throw new Error('the entries of one write belong to two accounts')
  await db.query({
    name: 'ledger_append_all',
    text: `insert into ledger (account_id, position, kind, tracking_request_id, shipment_id, subject_id, snapshot_id, reader,
                               recorded_at, payload, rules)
           overriding system value
           select $1, position, kind, tracking_request_id, shipment_id, subject_id, snapshot_id, reader, recorded_at,
                  payload, rules
             from jsonb_populate_recordset(null::ledger, $2::jsonb)`,
    values: [first.accountId, JSON.stringify(entries.map(toColumnRecord))],
  })
}

/** The entries of one account after a position, oldest first. */
export async function readLedger(
  db: Db,
  page: { readonly accountId: string; readonly after: number; readonly limit: number },
): Promise<readonly LedgerEntry[]> {
  const { rows } = await db.query<LedgerEntry>({
    name: 'ledger_read',
    text: `select ${entryColumns}, l.payload
             from ledger l
            where l.account_id = $1 and l.position > $2
            order by l.position
            limit $3`,
    values: [page.accountId, page.after, page.limit],
  })
  return rows
}

/** A snapshot that was read for a poll target of this account, in the order of reading. */
export interface ReadingEntry {
  readonly position: number
  readonly snapshotId: string
  readonly reader: string
  readonly recordedAt: string
  readonly isReread: boolean
}

export async function findReadingsOfTarget(
  db: Db,
  of: { readonly accountId: string; readonly subjectId: string },
): Promise<readonly ReadingEntry[]> {
  const { rows } = await db.query<ReadingEntry>({
    name: 'ledger_readings',
    text: `select position, snapshot_id as "snapshotId", reader, recorded_at as "recordedAt",
                  payload ? 'isReread' as "isReread"
             from ledger
            where account_id = $1 and subject_id = $2 and snapshot_id is not null and kind = 'look'
            order by position`,
    values: [of.accountId, of.subjectId],
  })
  return rows
}

/** A message that a shipment ingested, in the order of ingestion. */
export interface IngestedMessage extends ReadingEntry {
  readonly subjectId: string
  readonly trackingRequestId: string
  readonly of: Pick<MessageIngested, 'mention' | 'source' | 'hand' | 'standsAt' | 'deliveryKey'>
}

export async function messagesOfShipment(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string },
): Promise<readonly IngestedMessage[]> {
  const { rows } = await db.query<IngestedMessage>({
    name: 'ledger_messages',
    // Found by the shipment's requests: the entry by which one of them found the shipment does not name the shipment.
    text: `select l.position, l.snapshot_id as "snapshotId", l.reader, l.recorded_at as "recordedAt",
                  l.payload ? 'isReread' as "isReread", l.subject_id as "subjectId",
                  l.tracking_request_id as "trackingRequestId",
                  jsonb_build_object('mention', l.payload -> 'mention', 'source', l.payload -> 'source',
                                     'hand', l.payload -> 'hand', 'standsAt', l.payload -> 'standsAt',
                                     'deliveryKey', l.payload -> 'deliveryKey') as of
             from tracking_requests r
             join ledger l on l.account_id = r.account_id and l.tracking_request_id = r.id
            where r.account_id = $1 and r.shipment_id = $2 and l.kind = 'heard' and l.snapshot_id is not null
            order by l.position`,
    values: [of.accountId, of.shipmentId],
  })
  return rows
}
