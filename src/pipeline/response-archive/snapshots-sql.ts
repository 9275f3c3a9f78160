/** Raw snapshots: what a source answered, stored verbatim once per content; and the log of polls. */

import type { Db } from '../../db/database.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { EventCounts } from '../../domain/tracking-requests/event-counts.ts'
import type { PollTargetAccess } from '../polling/poll-targets-sql.ts'
import { readSnapshotBody, type SnapshotBody, type SnapshotBodyRow, snapshotBodyColumns } from './stored-body-sql.ts'

export interface Snapshot {
  readonly id: string
  readonly subjectId: string
  readonly contentHash: Buffer
  readonly status: number
  readonly contentType: string | null
  readonly body: Buffer
  readonly recordedAt: string
}

/** A snapshot as it is stored. `openSnapshots` makes it readable. */
export interface StoredSnapshot extends Omit<Snapshot, 'body'> {
  readonly body: SnapshotBody
}

/** A snapshot of a message. */
export interface EncryptedSnapshot extends Omit<Snapshot, 'body'> {
  readonly encryptedBody: Buffer
}

/** Stores the snapshot unless the same bytes are there; returns the id of the row that holds them. */
export async function insertSnapshot(db: Db, snapshot: Snapshot): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'snapshot_keep',
    text: `with kept as (
             insert into kept_snapshots (id, subject_id, content_hash, status, content_type, body, recorded_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (subject_id, content_hash) do nothing
             returning id)
           select id from kept
           union all
           select id from kept_snapshots where subject_id = $2 and content_hash = $3
           limit 1`,
    values: [
      snapshot.id,
      snapshot.subjectId,
      snapshot.contentHash,
      snapshot.status,
      snapshot.contentType,
      snapshot.body,
      snapshot.recordedAt,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the snapshot was not stored')
  return row.id
}

/** Stores many snapshots of messages, in the same way. Returns their ids in the order given. */
export async function storeSnapshots(db: Db, snapshots: readonly EncryptedSnapshot[]): Promise<readonly string[]> {
  if (snapshots.length === 0) return []
  const { rows } = await db.query<{ id: string }>({
    name: 'snapshots_keep',
    text: `with told as (
             select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::integer[], $5::text[], $6::bytea[], $7::timestamptz[])
               with ordinality as t (id, subject_id, content_hash, status, content_type, sealed_body, recorded_at, place)
           ), kept as (
             insert into kept_snapshots (id, subject_id, content_hash, status, content_type, sealed_body, recorded_at)
             select distinct on (subject_id, content_hash) id, subject_id, content_hash, status, content_type, sealed_body,
                    recorded_at
               from told order by subject_id, content_hash, place
             -- Written once more, so that one which another delivery keeps at this moment is seen as well.
             on conflict (subject_id, content_hash) do update set status = kept_snapshots.status
             returning id, subject_id, content_hash
           )
           select k.id
             from told t join kept k on k.subject_id = t.subject_id and k.content_hash = t.content_hash
            order by t.place`,
    values: [
      snapshots.map(({ id }) => id),
      snapshots.map(({ subjectId }) => subjectId),
      snapshots.map(({ contentHash }) => contentHash),
      snapshots.map(({ status }) => status),
      snapshots.map(({ contentType }) => contentType),
      snapshots.map(({ encryptedBody }) => encryptedBody),
      snapshots.map(({ recordedAt }) => recordedAt),
    ],
  })
  return rows.map(({ id }) => id)
}

type SnapshotRow = Omit<Snapshot, 'body'> & SnapshotBodyRow

const snapshotColumns = `n.id, n.subject_id as "subjectId", n.content_hash as "contentHash", n.status,
  n.content_type as "contentType", n.recorded_at as "recordedAt", ${snapshotBodyColumns}`

function readRow<Row extends SnapshotRow>({ encryptedBody, place, ...row }: Row) {
  const body = readSnapshotBody({ body: row.body, encryptedBody, place })
  if (body === null) throw new Error(`snapshot ${row.id} has no body`)
  return { ...row, body }
}

/** Those of them that exist, in any order. */
export async function getSnapshots(db: Db, ids: readonly string[]): Promise<readonly StoredSnapshot[]> {
  if (ids.length === 0) return []
  const { rows } = await db.query<SnapshotRow>({
    name: 'snapshots_get',
    text: `select ${snapshotColumns} from kept_snapshots n where n.id = any($1::uuid[])`,
    values: [ids],
  })
  return rows.map(readRow)
}

/** Encrypted snapshots with an id after this one, in order of id. */
export async function nextEncryptedSnapshots(
  db: Db,
  of: { readonly afterId: string | null; readonly limit: number },
): Promise<readonly StoredSnapshot[]> {
  const { rows } = await db.query<SnapshotRow>({
    name: 'snapshots_sealed_next',
    text: `select ${snapshotColumns} from kept_snapshots n
            where n.sealed_body is not null and ($1::uuid is null or n.id > $1) order by n.id limit $2`,
    values: [of.afterId, of.limit],
  })
  return rows.map(readRow)
}

/** The access with which the poll target of a snapshot is polled. */
export interface SnapshotAccess extends PollTargetAccess {
  readonly scac: string
  readonly speakerKind: SourceKind
  readonly isFirstHand: boolean
  readonly channelId: string
  /** True when the channel is for the whole installation, or is polled for it. */
  readonly isOfAll: boolean
}

/** By the ids of the snapshots. Snapshots that are gone are left out. */
export async function getSnapshotAccesses(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SnapshotAccess>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<SnapshotAccess & { id: string }>({
    name: 'snapshot_accesses',
    text: `select n.id, s.scac, s.kind, s.number, c.speaker_kind as "speakerKind", c.is_first_hand as "isFirstHand",
                  c.source, c.profile, c.id as "channelId", c.account_id is null as "isOfAll"
             from kept_snapshots n join subjects s on s.id = n.subject_id join channels c on c.id = s.credential_id
            where n.id = any($1::uuid[])`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Poll {
  readonly id: string
  readonly subjectId: string
  /** Journey clock. */
  readonly startedAt: string
  /** Journey clock: when the poll ended. The poll target has the same time. */
  readonly attemptedAt: string
  /** Real clock. */
  readonly endedAt: string
  readonly durationMs: number
  readonly outcome: string
  readonly statusCode: number | null
  readonly detail: string | null
  readonly snapshotId: string | null
  readonly isUnchanged: boolean
  /** With which access it was polled. `events`: how much of the answer was understood, null where nothing was read. */
  readonly credentialId: string
  readonly events: EventCounts | null
}

export async function recordPoll(db: Db, poll: Poll): Promise<void> {
  await db.query({
    name: 'look_record',
    text: `insert into day_looks
             (subject_id, id, started_at, ended_at, duration_ms, outcome, status_code, detail, snapshot_id, is_unchanged,
              attempted_at, credential_id, events_told, events_aside, events_understood, events_lost, unread)
           values ($1, $2, $3, $10, $4, $5, $6, $7, $8, $9, $11, $12, $13, $14, $15, $16, $17)`,
    values: [
      poll.subjectId,
      poll.id,
      poll.startedAt,
      poll.durationMs,
      poll.outcome,
      poll.statusCode,
      poll.detail,
      poll.snapshotId,
      poll.isUnchanged,
      poll.endedAt,
      poll.attemptedAt,
      poll.credentialId,
      poll.events?.told ?? null,
      poll.events?.aside ?? null,
      poll.events?.understood ?? null,
      poll.events?.lost ?? null,
      poll.events === null ? null : JSON.stringify(poll.events.unread),
    ],
  })
}

export async function getSnapshotHash(db: Db, id: string): Promise<Buffer | null> {
  const { rows } = await db.query<{ content_hash: Buffer }>({
    name: 'snapshot_hash',
    text: `select content_hash from kept_snapshots where id = $1`,
    values: [id],
  })
  return rows[0]?.content_hash ?? null
}
