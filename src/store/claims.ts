/** Claims: every distinct statement of every source, per account. A repeated statement adds no row. */

import type { Claim, Observation, Source } from '../core/observation.ts'
import type { Db } from './database.ts'

/** A claim with where it came from. */
export interface KeptClaim extends Claim {
  readonly subjectId: string | null
  readonly shipmentId: string | null
  readonly firstSnapshotId: string | null
  /** The first answer that no longer said so; null while the source says it. */
  readonly goneSnapshotId: string | null
  /** Left out of the last whole picture. */
  readonly missingSince: string | null
}

interface ClaimRow {
  readonly id: string
  readonly subject_id: string | null
  readonly shipment_id: string | null
  readonly source_kind: Source['kind']
  readonly source_code: string
  readonly observation: Observation
  readonly first_snapshot_id: string | null
  readonly gone_snapshot_id: string | null
  readonly read_at: string
  readonly recorded_at: string
  readonly missing_since: string | null
  readonly retired_at: string | null
}

/** The claims that stand, of these subjects and of users about this shipment. */
export async function liveClaims(
  db: Db,
  of: {
    readonly accountId: string
    readonly subjectIds: readonly string[]
    readonly shipmentId: string | null
  },
): Promise<readonly KeptClaim[]> {
  const { rows } = await db.query<ClaimRow>({
    name: 'claims_live',
    text: `select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, missing_since, retired_at
             from claims
            where account_id = $1 and subject_id = any($2::uuid[]) and retired_at is null
           union all
           select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, missing_since, retired_at
             from claims
            where account_id = $1 and shipment_id = $3 and retired_at is null`,
    values: [of.accountId, of.subjectIds, of.shipmentId],
  })
  return rows.map(readClaim)
}

/**
 * What these claims say, in the order of the ids: live or retired, of the served table also while a rebuild writes to
 * another. Throws when one of them is gone.
 */
export async function claimsOnRecord(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly KeptClaim[]> {
  const { rows } = await db.query<ClaimRow>({
    name: 'claims_on_record',
    text: `select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, missing_since, retired_at
             from public.claims where account_id = $1 and id = any($2::uuid[])`,
    values: [of.accountId, of.ids],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return of.ids.map((id) => {
    const row = byId.get(id)
    if (row === undefined) throw new Error(`the claim ${id} is gone`)
    return readClaim(row)
  })
}

function readClaim(row: ClaimRow): KeptClaim {
  return {
    id: row.id,
    source: { kind: row.source_kind, code: row.source_code },
    observation: row.observation,
    readAt: row.read_at,
    recordedAt: row.recorded_at,
    retiredAt: row.retired_at,
    subjectId: row.subject_id,
    shipmentId: row.shipment_id,
    firstSnapshotId: row.first_snapshot_id,
    goneSnapshotId: row.gone_snapshot_id,
    missingSince: row.missing_since,
  }
}

/**
 * Writes what one reading changed, in one statement: new claims (one that was retired and is said again stands
 * again), retired ones, those left out. What is merely said again costs no write.
 * Returns what the new ones say, as it is kept.
 */
export async function writeReading(
  db: Db,
  reading: {
    readonly accountId: string
    readonly add: readonly KeptClaim[]
    readonly retire: readonly string[]
    readonly seen: readonly string[]
    readonly missing: readonly string[]
    readonly left: readonly string[]
    readonly reader: string
    readonly snapshotId: string | null
    readonly recordedAt: string
  },
): Promise<ReadonlyMap<string, Observation>> {
  const added = reading.add.map((claim) => ({
    id: claim.id,
    subject_id: claim.subjectId,
    shipment_id: claim.shipmentId,
    source_kind: claim.source.kind,
    source_code: claim.source.code,
    source_key: claim.observation.key,
    equipment: claim.observation.equipment,
    observation: claim.observation,
    first_snapshot_id: claim.firstSnapshotId,
    gone_snapshot_id: claim.goneSnapshotId,
    read_at: claim.readAt,
    recorded_at: claim.recordedAt,
  }))
  const { rows } = await db.query<{ id: string; observation: Observation }>({
    name: 'claims_write',
    text: `with retired as (
             update claims set retired_at = $6, gone_snapshot_id = coalesce(gone_snapshot_id, $7)
              where account_id = $1 and id = any($3::uuid[])
           ), seen as (
             update claims set gone_snapshot_id = null, missing_since = null
              where account_id = $1 and id = any($4::uuid[])
                and (gone_snapshot_id is not null or missing_since is not null)
           ), missing as (
             update claims set missing_since = $6, gone_snapshot_id = coalesce(gone_snapshot_id, $7)
              where account_id = $1 and id = any($8::uuid[])
           ), left_out as (
             update claims set gone_snapshot_id = $7
              where account_id = $1 and id = any($9::uuid[]) and gone_snapshot_id is null
           )
           insert into claims (account_id, id, subject_id, shipment_id, source_kind, source_code, source_key, equipment,
                               observation, first_snapshot_id, gone_snapshot_id, reader, read_at, recorded_at)
           select $1, id, subject_id, shipment_id, source_kind, source_code, source_key, equipment,
                  observation, first_snapshot_id, gone_snapshot_id, $5, read_at, recorded_at
             from jsonb_to_recordset($2::jsonb) as c(
                    id uuid, subject_id uuid, shipment_id uuid, source_kind text, source_code text, source_key text,
                    equipment text, observation jsonb, first_snapshot_id uuid, gone_snapshot_id uuid,
                    read_at timestamptz, recorded_at timestamptz)
           on conflict (account_id, id)
           do update set retired_at = null, missing_since = null, recorded_at = excluded.recorded_at,
                         read_at = excluded.read_at, reader = excluded.reader,
                         gone_snapshot_id = excluded.gone_snapshot_id
           returning id, observation`,
    values: [
      reading.accountId,
      JSON.stringify(added),
      reading.retire,
      reading.seen,
      reading.reader,
      reading.recordedAt,
      reading.snapshotId,
      reading.missing,
      reading.left,
    ],
  })
  return new Map(rows.map(({ id, observation }) => [id, observation]))
}
