/**
 * A stored answer, for an account that ingested it; and by which numbers accounts listen, to find out whom it is about.
 */

import type { Db } from '../../db/database.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import {
  readSnapshotBody,
  type SnapshotBody,
  type SnapshotBodyRow,
  snapshotBodyColumns,
} from '../../pipeline/response-archive/stored-body-sql.ts'

export interface IngestedSnapshot {
  readonly id: string
  readonly contentHash: Buffer
  /** HTTP status of the answer; 200 for a message of a partner. */
  readonly status: number
  readonly contentType: string | null
  readonly recordedAt: string
  readonly sourceKind: SourceKind
  readonly sourceCode: string
  /** The number of the poll, or of the message. */
  readonly numberKind: string
  readonly number: string
  readonly isPushed: boolean
  /** The channel serves every account of the installation. */
  readonly isShared: boolean
  readonly encryptedSecret: Buffer | null
  /** Null when it has more than `bytesMax` bytes. */
  readonly body: SnapshotBody | null
}

/**
 * Null unless something that this account stores came from it: a claim that it made or ended, an entry of the ledger,
 * or a message that a shipment ingested. Each is found by the poll target or the mention, so this reads some index
 * pages.
 */
export async function findIngestedSnapshot(
  db: Db,
  of: { readonly accountId: string; readonly id: string; readonly bytesMax: number },
): Promise<IngestedSnapshot | null> {
  const { rows } = await db.query<Omit<IngestedSnapshot, 'body'> & SnapshotBodyRow>({
    name: 'snapshot_heard',
    text: `with asked as materialized (
             select subject_id from kept_snapshots where id = $2
           ), stated as materialized (
             select 1 from claims
              where account_id = $1 and subject_id = (select subject_id from asked)
                and (first_snapshot_id = $2 or gone_snapshot_id = $2)
             union all
             select 1 from ledger
              where account_id = $1 and subject_id = (select subject_id from asked) and snapshot_id = $2
           )
           select n.id, n.content_hash as "contentHash", n.status, n.content_type as "contentType", n.recorded_at as "recordedAt",
                  c.speaker_kind as "sourceKind", s.scac as "sourceCode", s.kind as "numberKind", s.number,
                  c.is_told as "isPushed", c.account_id is null as "isShared", c.secret_sealed as "encryptedSecret",
                  ${snapshotBodyColumns}
             -- What is too large is not fetched.
             from (select id, subject_id, content_hash, status, content_type, recorded_at, frame_at, frame_bytes, body_at,
                          body_bytes, case when body_bytes <= $3 then pack_id end as pack_id,
                          case when length(body) <= $3 then body end as body,
                          case when length(sealed_body) <= $3 then sealed_body end as sealed_body
                     from kept_snapshots where id = $2) n
             join subjects s on s.id = n.subject_id
             join channels c on c.id = s.credential_id and (c.account_id is null or c.account_id = $1)
            where exists (select from stated)
               or exists (select from mentions m join hearings h on h.mention_id = m.id and h.account_id = $1
                           where m.snapshot_id = n.id)`,
    values: [of.accountId, of.id, of.bytesMax],
  })
  const [row] = rows
  if (row === undefined) return null
  const { encryptedBody, place, ...rest } = row
  return { ...rest, body: readSnapshotBody({ body: row.body, encryptedBody, place }) }
}

/** The first answer that contained a claim of this account, and the first later one that did not. */
export async function snapshotsOfClaim(
  db: Db,
  of: { readonly accountId: string; readonly claimId: string },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'snapshots_of_claim',
    text: `select distinct s.id
             from claims c, unnest(array[c.first_snapshot_id, c.gone_snapshot_id]) as s (id)
            where c.account_id = $1 and c.id = $2 and s.id is not null`,
    values: [of.accountId, of.claimId],
  })
  return rows.map(({ id }) => id)
}

/** Those of these numbers by which the account's own shipments are known. A request that found nothing proves nothing. */
export async function findOwnNumbers(
  db: Db,
  of: { readonly accountId: string; readonly numbers: readonly string[] },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ number: string }>({
    name: 'snapshot_own_numbers',
    text: `select number from shipment_documents where account_id = $1 and number = any($2::text[])
           union select number from containers where account_id = $1 and number = any($2::text[])
           union select number from tracking_requests
                  where account_id = $1 and number = any($2::text[]) and shipment_id is not null`,
    values: [of.accountId, of.numbers],
  })
  return rows.map(({ number }) => number)
}

/**
 * Those of these numbers by which some other account's are known. Documents have an index of all accounts. Containers
 * do not, so each account's own index is read once; numbers of both kinds are given apart, because there are few
 * containers.
 */
export async function findNumbersOfOthers(
  db: Db,
  of: {
    readonly accountId: string
    readonly numbers: readonly string[]
    readonly containerNumbers: readonly string[]
  },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ number: string }>({
    name: 'snapshot_numbers_of_others',
    text: `select number from shipment_documents where account_id <> $1 and number = any($2::text[])
           union
           select number from tracking_requests
            where account_id <> $1 and number = any($2::text[]) and shipment_id is null
              and status in ('pending', 'awaiting_manifest')
           union
           select c.number
             from accounts a
             cross join lateral (select number from containers
                                  where account_id = a.id and number = any($3::text[])) c
            where a.id <> $1`,
    values: [of.accountId, of.numbers, of.containerNumbers],
  })
  return rows.map(({ number }) => number)
}
