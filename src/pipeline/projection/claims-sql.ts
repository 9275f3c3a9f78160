/** Claims: every distinct statement of every source, for each account. A repeated statement adds no row. */

import type { Db } from '../../db/database.ts'
import type { Claim, Hand, Observation, Source } from '../../domain/statements/observation.ts'

/** A claim, and where it came from. */
export interface StoredClaim extends Claim {
  /**
   * The poll target under which it was stated. For an answer, that is the polled poll target, for all its requests.
   * Null when no channel stated it.
   */
  readonly subjectId: string | null
  /**
   * The only shipment to which it belongs. Set for claims from messages of partners, from users and from positions of
   * ships.
   */
  readonly shipmentId: string | null
  readonly firstSnapshotId: string | null
  /** The first answer that no longer stated it; null while the source states it. */
  readonly goneSnapshotId: string | null
  /** Set when the last full picture left the claim out. */
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
  /** Null: since it was recorded. */
  readonly stands_at: string | null
  readonly hand: Hand
  readonly delivery_key: string | null
  readonly missing_since: string | null
  readonly retired_at: string | null
}

/** The active claims of these poll targets, and those that only this shipment ingested. */
export async function liveClaims(
  db: Db,
  of: {
    readonly accountId: string
    readonly subjectIds: readonly string[]
    readonly shipmentId: string | null
  },
): Promise<readonly StoredClaim[]> {
  const { rows } = await db.query<ClaimRow>({
    name: 'claims_live',
    text: `select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, stands_at, hand, delivery_key, missing_since, retired_at
             from claims
            where account_id = $1 and subject_id = any($2::uuid[]) and shipment_id is null and retired_at is null
           union all
           select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, stands_at, hand, delivery_key, missing_since, retired_at
             from claims
            where account_id = $1 and shipment_id = $3 and retired_at is null`,
    values: [of.accountId, of.subjectIds, of.shipmentId],
  })
  return rows.map(readClaim)
}

/**
 * These claims, live or retired, in the order of the ids. They are read from the served table, even while a rebuild
 * writes to another one. Throws when a claim is gone.
 */
export async function claimsOnRecord(
  db: Db,
  of: { readonly accountId: string; readonly ids: readonly string[] },
): Promise<readonly StoredClaim[]> {
  const { rows } = await db.query<ClaimRow>({
    name: 'claims_on_record',
    text: `select id, subject_id, shipment_id, source_kind, source_code, observation, first_snapshot_id,
                  gone_snapshot_id, read_at, recorded_at, stands_at, hand, delivery_key, missing_since, retired_at
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

function readClaim(row: ClaimRow): StoredClaim {
  return {
    id: row.id,
    source: { kind: row.source_kind, code: row.source_code },
    observation: row.observation,
    readAt: row.read_at,
    recordedAt: row.recorded_at,
    standsAt: row.stands_at ?? row.recorded_at,
    hand: row.hand,
    deliveryKey: row.delivery_key,
    retiredAt: row.retired_at,
    subjectId: row.subject_id,
    shipmentId: row.shipment_id,
    firstSnapshotId: row.first_snapshot_id,
    goneSnapshotId: row.gone_snapshot_id,
    missingSince: row.missing_since,
  }
}
