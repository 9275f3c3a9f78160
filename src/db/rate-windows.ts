/** Rate limits over rolling minutes that all processes of one database share: one row for each account and bucket. */

import type { Db } from './database.ts'

export interface WindowRequest {
  readonly accountId: string
  readonly bucket: string
  /** Slots that are allowed in 60 seconds. */
  readonly limit: number
  readonly count: number
  /** True: take all of them or none. `count` must not be more than the limit. */
  readonly isWhole: boolean
  /** Milliseconds since 1970; null for the database's own clock, which is the same for all processes. */
  readonly nowMs: number | null
}

export interface WindowUsage {
  readonly granted: number
  /** Ages of the slots that must leave the window before those who wait get theirs, oldest first. Milliseconds. */
  readonly agesMs: readonly number[]
}

/**
 * Exact, because the caller holds the lock of the row when the clock is read and the slots in use are counted. A slot
 * from the future (a clock that was set back) counts as used now. Times are in microseconds, so that no minute is too
 * short by a fraction of a millisecond.
 */
export async function consumeQuota(db: Db, of: WindowRequest): Promise<WindowUsage> {
  const { rows } = await db.query<{ taken: number; ages: readonly number[] | null }>({
    name: 'rate_window_take',
    text: `insert into rate_windows (account_id, bucket, accepted, taken, asked_at)
           select $1, $2, array_fill(n.now, array[least($3::int, $4::int)]), least($3::int, $4::int), n.now
             from (select coalesce($5::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now) n
           on conflict (account_id, bucket) do update set (accepted, taken, asked_at) = (
             select l.live || array_fill(n.now, array[f.free]), f.free, n.now
               from (select coalesce($5::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint) as now) n,
                    lateral (select coalesce(array_agg(least(t.at, n.now) order by t.place), '{}') as live
                               from unnest(rate_windows.accepted) with ordinality as t(at, place)
                              where t.at > n.now - 60000000) l,
                    lateral (select greatest(0, least($3::int, $4::int - cardinality(l.live))) as upto) u,
                    lateral (select case when $6 and u.upto < $3::int then 0 else u.upto end as free) f)
           returning taken,
                     (select array_agg((asked_at - t.at)::float8 / 1000 order by t.place)
                        from unnest(accepted) with ordinality as t(at, place)
                       where taken < $3::int
                         and t.place > greatest(0, cardinality(accepted) - $4::int)
                         and t.place <= greatest(0, cardinality(accepted) - $4::int) + $3::int
                                        - greatest(taken, $4::int - cardinality(accepted))) as ages`,
    values: [of.accountId, of.bucket, of.count, of.limit, of.nowMs === null ? null : of.nowMs * 1_000, of.isWhole],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the window was not written')
  return { granted: row.taken, agesMs: row.ages ?? [] }
}

export interface RateLimit {
  readonly accountId: string
  readonly bucket: string
  readonly perMinute: number
}

/** The limits that the account has instead of those in the settings. */
export async function limitsOfAccount(db: Db, accountId: string): Promise<readonly RateLimit[]> {
  const { rows } = await db.query<RateLimit>({
    name: 'rate_limits_of_account',
    text: `select account_id as "accountId", bucket, per_minute as "perMinute" from rate_limits where account_id = $1`,
    values: [accountId],
  })
  return rows
}

/** The limits of all accounts, for the operator. */
export async function listRateLimits(
  db: Db,
): Promise<readonly (RateLimit & { readonly companyName: string; readonly updatedAt: string })[]> {
  const { rows } = await db.query<RateLimit & { companyName: string; updatedAt: string }>({
    name: 'rate_limits_list',
    text: `select l.account_id as "accountId", l.bucket, l.per_minute as "perMinute", a.company_name as "companyName",
                  l.updated_at as "updatedAt"
             from rate_limits l join accounts a on a.id = l.account_id
            order by a.company_name, l.account_id, l.bucket`,
  })
  return rows
}

/** Returns false when there is no such account. */
export async function putRateLimit(db: Db, limit: RateLimit & { readonly updatedAt: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rate_limit_put',
    text: `insert into rate_limits (account_id, bucket, per_minute, updated_at)
           select $1, $2, $3, $4 where exists (select from accounts where id = $1)
           on conflict (account_id, bucket) do update set per_minute = excluded.per_minute, updated_at = excluded.updated_at`,
    values: [limit.accountId, limit.bucket, limit.perMinute, limit.updatedAt],
  })
  return (rowCount ?? 0) > 0
}

/** Returns false when there was none. */
export async function deleteRateLimit(
  db: Db,
  of: { readonly accountId: string; readonly bucket: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'rate_limit_delete',
    text: `delete from rate_limits where account_id = $1 and bucket = $2`,
    values: [of.accountId, of.bucket],
  })
  return (rowCount ?? 0) > 0
}

/** How many slots were used in the last 60 seconds. */
export async function countInWindow(
  db: Db,
  of: { readonly accountId: string; readonly bucket: string; readonly nowMs: number | null },
): Promise<number> {
  const { rows } = await db.query<{ held: number }>({
    name: 'rate_window_count',
    text: `select count(*) as held from rate_windows w, unnest(w.accepted) as t(at)
            where w.account_id = $1 and w.bucket = $2
              and t.at > coalesce($3::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint) - 60000000`,
    values: [of.accountId, of.bucket, of.nowMs === null ? null : of.nowMs * 1_000],
  })
  return rows[0]?.held ?? 0
}
