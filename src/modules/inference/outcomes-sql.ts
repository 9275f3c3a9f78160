/**
 * What carriers confirmed and denied about the numbers of accounts. An outcome is written as soon as it is known;
 * inference reads it and learns from it.
 */

import type { Db } from '../../db/database.ts'
import { deleteCompanions } from './companions-sql.ts'

export const outcomeSources = ['request', 'bill', 'told', 'seen', 'not_found', 'override', 'import'] as const
export type OutcomeSource = (typeof outcomeSources)[number]

export interface NewOutcome {
  /** Made from the content of the outcome, so that the same outcome counts once, however often it is reported. */
  readonly id: string
  readonly number: string
  readonly node: string
  readonly scac: string
  readonly weight: number
  readonly month: number
  readonly bill: string | null
  readonly source: OutcomeSource
}

/**
 * The statement of a message about a container and the answer of its line count as one outcome when they are at most
 * this far apart.
 */
const sameTripDays = 120

/**
 * Writes outcomes, and compares what was predicted for their numbers with them, in one statement, because it is part of
 * every first poll. A line that was suggested and proved wrong gets a weak vote against it. All positive outcomes are
 * of one carrier, which may have several SCACs. Returns how many were new.
 */
export async function insertOutcomes(
  db: Db,
  batch: {
    readonly accountId: string
    readonly outcomes: readonly NewOutcome[]
    readonly carrier: readonly string[]
    readonly overrideWeight: number
    readonly at: string
  },
): Promise<number> {
  const { rows } = await db.query<{ taught: number }>({
    name: 'inference_outcomes_insert',
    text: `with told as (
             select * from jsonb_to_recordset($2::jsonb)
               as o (id uuid, number text, node text, scac text, weight real, month integer, bill text, source text)
           ), taught as (
             insert into inference_outcomes
                      (account_id, id, number, node, scac, weight, month, bill, source, confirmed_at)
             select $1, id, number, node, scac, weight, month, bill, source, $3::timestamptz from told
              where source not in ('told', 'seen', 'bill') or not exists (
                    select from inference_outcomes o
                     where o.account_id = $1 and o.number = told.number and o.scac = any ($4::text[]) and o.weight > 0
                       and (told.source <> 'bill' or o.source in ('told', 'seen'))
                       and o.confirmed_at between $3::timestamptz - interval '${sameTripDays} days'
                                              and $3::timestamptz + interval '${sameTripDays} days')
                 on conflict (account_id, id) do nothing
             returning id
           ), confirmed as (
             update inference_predictions p
                set confirmed_scac = told.scac, is_right = p.scac = any ($4::text[]), confirmed_at = $3::timestamptz
               from told
              where p.account_id = $1 and p.number = told.number and told.weight > 0 and p.confirmed_at is null
             returning told.id, p.number, told.node, p.scac, told.month, p.decision, p.is_right
           ), overridden as (
             insert into inference_outcomes
                      (account_id, id, number, node, scac, weight, month, bill, source, confirmed_at)
             select $1, md5(id::text || ' override')::uuid, number, node, scac, $5, month, null, 'override', $3::timestamptz
               from confirmed
              where not is_right and decision <> 'no_prediction'
                and not exists (select from told where told.number = confirmed.number and told.scac = confirmed.scac)
                 on conflict (account_id, id) do nothing
           )
           select count(*) as taught from taught`,
    values: [batch.accountId, JSON.stringify(batch.outcomes), batch.at, batch.carrier, batch.overrideWeight],
  })
  return rows[0]?.taught ?? 0
}

/** Any number that no other advisory lock uses. */
const numberingLock = 7_361_205

/**
 * Numbers up to `limit` outcomes that have committed. Only one process numbers at a time, so that whoever has read up
 * to a number has read everything below it. Returns how many.
 */
export async function numberOutcomeBatch(db: Db, limit: number): Promise<number> {
  const waiting = await db.query<{ isWaiting: boolean }>({
    name: 'inference_outcomes_waiting',
    text: `select exists (select from inference_outcomes where sequence is null) as "isWaiting"`,
  })
  if (waiting.rows[0]?.isWaiting !== true) return 0
  // A statement of its own, so that the snapshot of the next one is taken after the last numbering has committed.
  await db.query({
    name: 'inference_numbering_lock',
    text: `select pg_advisory_xact_lock($1)`,
    values: [numberingLock],
  })
  const { rowCount } = await db.query({
    name: 'inference_outcomes_number',
    text: `with batch as materialized (
             select account_id, id from inference_outcomes where sequence is null limit $1
           ), placed as (
             select account_id, id, row_number() over () as place from batch
           ), last as (
             select coalesce(max(sequence), 0) as sequence from inference_outcomes where sequence is not null
           )
           update inference_outcomes o set sequence = last.sequence + placed.place
             from placed, last
            where o.account_id = placed.account_id and o.id = placed.id`,
    values: [limit],
  })
  return rowCount ?? 0
}

export interface TaughtOutcome {
  readonly accountId: string
  readonly isSandbox: boolean
  /** Whether the account allows others to learn from it. */
  readonly isShared: boolean
  readonly sequence: number
  readonly number: string
  readonly node: string
  readonly scac: string
  readonly weight: number
  readonly month: number
  readonly bill: string | null
  readonly source: OutcomeSource
  readonly confirmedAt: string
}

const taughtColumns = `o.account_id as "accountId", a.is_fiction as "isSandbox", a.shares_outcomes as "isShared",
  o.sequence, o.number, o.node, o.scac, o.weight, o.month, o.bill, o.source, o.confirmed_at as "confirmedAt"`

/** Outcomes of all accounts, in the order of their sequence. */
export async function readOutcomes(
  db: Db,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly TaughtOutcome[]> {
  const { rows } = await db.query<TaughtOutcome>({
    name: 'inference_outcomes_read',
    text: `select ${taughtColumns}
             from inference_outcomes o join accounts a on a.id = o.account_id
            where o.sequence > $1
            order by o.sequence
            limit $2`,
    values: [page.after, page.limit],
  })
  return rows
}

/** All outcomes of one account that have a sequence. */
export async function readOutcomesOfAccount(db: Db, accountId: string): Promise<readonly TaughtOutcome[]> {
  const { rows } = await db.query<TaughtOutcome>({
    name: 'inference_outcomes_of_account',
    text: `select ${taughtColumns}
             from inference_outcomes o join accounts a on a.id = o.account_id
            where o.account_id = $1 and o.sequence is not null
            order by o.sequence`,
    values: [accountId],
  })
  return rows
}

/** Grows whenever an account withdraws something. Then everything must be learnt again. */
export async function countWithdrawals(db: Db): Promise<number> {
  const { rows } = await db.query<{ unlearnt: number }>({
    name: 'inference_unlearnt',
    text: `select coalesce(sum(unlearnt), 0)::bigint as unlearnt from accounts`,
  })
  return rows[0]?.unlearnt ?? 0
}

/** Sets whether others may learn from the account's outcomes from now on, earlier ones included. */
export async function setSharing(
  db: Db,
  choice: { readonly accountId: string; readonly shares: boolean },
): Promise<void> {
  await db.query({
    name: 'inference_sharing_set',
    text: `update accounts set shares_outcomes = $2, unlearnt = unlearnt + 1 where id = $1 and shares_outcomes <> $2`,
    values: [choice.accountId, choice.shares],
  })
}

/** Deletes everything that the account taught and that was predicted for it. Returns how many outcomes. */
export async function deleteOutcomes(db: Db, accountId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'inference_outcomes_delete',
    text: `delete from inference_outcomes where account_id = $1`,
    values: [accountId],
  })
  await db.query({
    name: 'inference_predictions_forget',
    text: `delete from inference_predictions where account_id = $1`,
    values: [accountId],
  })
  await deleteCompanions(db, accountId)
  await db.query({
    name: 'inference_unlearn',
    text: `update accounts set unlearnt = unlearnt + 1 where id = $1`,
    values: [accountId],
  })
  return rowCount ?? 0
}
