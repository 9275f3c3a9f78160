/**
 * How far each account's history has been brought up to corrected readers and merge rules, and what comes next
 * (docs/decisions/0010 and 0017).
 */

import type { Db } from '../../db/database.ts'

export const repairKinds = ['readers', 'rules'] as const
export type RepairKind = (typeof repairKinds)[number]

/** The versions that this program brings histories up to. */
export type RepairVersions = Readonly<Record<RepairKind, number>>

/** The walk through one account, under our lease. */
export interface RepairLease {
  readonly accountId: string
  readonly kind: RepairKind
  /** Requests or shipments up to this id are done. */
  readonly afterId: string | null
  readonly isSandbox: boolean
  readonly token: string
  readonly lookedAt: number
  readonly changed: number
  readonly failed: number
}

/**
 * Begins the walks that the versions of this program require. Returns how many. Where all are done, it only reads two
 * small tables.
 */
export async function beginRepairs(
  db: Db,
  of: { readonly versions: RepairVersions; readonly now: string },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'mendings_begin',
    text: `insert into mendings as m (account_id, kind, version, not_before, started_at)
           select a.id, k.kind, k.version, $3, $3
             from accounts a
            cross join (values ('readers', $1::integer), ('rules', $2::integer)) as k (kind, version)
            where not exists (select 1 from mendings o
                               where o.account_id = a.id and o.kind = k.kind and o.version >= k.version)
           on conflict (account_id, kind) do update
              set version = excluded.version, after_id = null, looked_at = 0, changed = 0, failed = 0,
                  not_before = excluded.not_before, started_at = excluded.started_at, ended_at = null
            where m.version < excluded.version`,
    values: [of.versions.readers, of.versions.rules, of.now],
  })
  return rowCount ?? 0
}

/** Leases the walk that has waited longest, of all accounts; null when none is due. */
export async function leaseRepair(
  db: Db,
  lease: {
    readonly versions: RepairVersions
    readonly token: string
    readonly now: string
    readonly until: string
  },
): Promise<RepairLease | null> {
  const { rows } = await db.query<RepairLease>({
    name: 'mending_lease',
    text: `update mendings m set lease_token = $3, leased_until = $5
             from accounts a
            where a.id = m.account_id
              and (m.account_id, m.kind) = (
                select account_id, kind from mendings
                 where ended_at is null and not_before <= $4
                   and version = case kind when 'readers' then $1::integer else $2::integer end
                   and (leased_until is null or leased_until < $4)
                 order by not_before, account_id, kind
                 limit 1
                   for update skip locked)
           returning m.account_id as "accountId", m.kind, m.after_id as "afterId", a.is_fiction as "isSandbox",
                     m.lease_token as token, m.looked_at as "lookedAt", m.changed, m.failed`,
    values: [lease.versions.readers, lease.versions.rules, lease.token, lease.now, lease.until],
  })
  return rows[0] ?? null
}

export type RepairOutcome = 'same' | 'changed' | 'failed'

/** Records that one request or shipment is done. The walk continues after it, when the other walks have been served. */
export async function recordRepair(
  db: Db,
  lease: RepairLease,
  done: { readonly id: string; readonly outcome: RepairOutcome; readonly now: string },
): Promise<void> {
  await db.query({
    name: 'mending_note',
    text: `update mendings
              set after_id = $4, looked_at = looked_at + 1, changed = changed + ($5 = 'changed')::integer,
                  failed = case when after_id is null then 0 else failed end + ($5 = 'failed')::integer, not_before = $6, lease_token = null, leased_until = null
            where account_id = $1 and kind = $2 and lease_token = $3`,
    values: [lease.accountId, lease.kind, lease.token, done.id, done.outcome, done.now],
  })
}

/** Nothing comes after: ends the walk, or lets it begin again at `againAt` for what it could not do. */
export async function endRepair(
  db: Db,
  lease: RepairLease,
  end: { readonly now: string; readonly againAt: string | null },
): Promise<void> {
  await db.query({
    name: 'mending_end',
    text: `update mendings
              set after_id = null, ended_at = case when $5::timestamptz is null then $4::timestamptz end,
                  not_before = coalesce($5::timestamptz, $4::timestamptz), lease_token = null, leased_until = null
            where account_id = $1 and kind = $2 and lease_token = $3`,
    values: [lease.accountId, lease.kind, lease.token, end.now, end.againAt],
  })
}

/** The account's next shipment that was last folded by older merge rules; null when there is none after this one. */
export async function nextShipmentBehind(
  db: Db,
  of: { readonly accountId: string; readonly afterId: string | null; readonly rules: number },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'mending_next_shipment',
    text: `select id from shipments
            where account_id = $1 and ($2::uuid is null or id > $2) and rules < $3
            order by id limit 1`,
    values: [of.accountId, of.afterId, of.rules],
  })
  return rows[0]?.id ?? null
}

export async function countShipmentsBehind(db: Db, rules: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'mending_shipments_behind',
    text: `select count(*) as count from public.shipments where rules < $1`,
    values: [rules],
  })
  return rows[0]?.count ?? 0
}

/** A walk, as it is shown to operators. */
export interface Repair {
  readonly accountId: string
  readonly companyName: string
  readonly kind: RepairKind
  readonly version: number
  readonly lookedAt: number
  readonly changed: number
  readonly failed: number
  readonly startedAt: string
  readonly endedAt: string | null
}

export async function listRepairs(db: Db): Promise<readonly Repair[]> {
  const { rows } = await db.query<Repair>({
    name: 'mendings_list',
    text: `select m.account_id as "accountId", a.company_name as "companyName", m.kind, m.version,
                  m.looked_at as "lookedAt", m.changed, m.failed, m.started_at as "startedAt", m.ended_at as "endedAt"
             from mendings m join accounts a on a.id = m.account_id
            order by m.ended_at is not null, a.company_name, m.account_id, m.kind`,
  })
  return rows
}

/** How many walks have not ended. */
export async function countOpenRepairs(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'mendings_open_count',
    text: `select count(*) as count from mendings where ended_at is null`,
  })
  return rows[0]?.count ?? 0
}
