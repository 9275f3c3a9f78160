/** The work of imports: rows that must be passed on, one import after another, under a lease. */

import { type Db, inTransaction, type Pool } from '../../db/database.ts'
import type { RowOfAccount } from '../../db/distributed/acquire-per-account.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'
import type { RowOutcome } from './imports-sql.ts'

export interface LeasedImport {
  readonly accountId: string
  readonly companyName: string
  readonly isSandbox: boolean
  readonly id: string
  readonly actor: unknown
  readonly scopes: readonly string[]
  readonly requestId: string
  readonly isDryRun: boolean
  /** Name of the channel through which its statements come; null when its rows are tracking requests. */
  readonly channel: string | null
  readonly createdAt: string
  readonly nextPlace: number
  readonly token: string
}

/** How many imports are tried while other workers lease them first. */
const triedMax = 8

/** Leases the import that has been due the longest and that nobody works on; null when there is none. */
export async function leaseImport(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string },
): Promise<LeasedImport | null> {
  const found = await db.query<RowOfAccount>({
    name: 'imports_due',
    text: `select account_id as "accountId", id from imports
            where next_place is not null and due_at <= $1 and (leased_until is null or leased_until <= $1)
            order by due_at, id limit $2`,
    values: [lease.now, triedMax],
  })
  for (const { accountId, id } of found.rows) {
    const { rows } = await db.query<LeasedImport>({
      name: 'import_lease',
      text: `with taken as (
               update imports set leased_until = $4, lease_token = $5
                where account_id = $1 and id = $2 and next_place is not null and due_at <= $3
                  and (leased_until is null or leased_until <= $3)
               returning *
             ), named as materialized (
               select t.*, a.company_name, a.is_fiction from taken t join accounts a on a.id = t.account_id
             )
             select t.account_id as "accountId", t.company_name as "companyName", t.is_fiction as "isSandbox", t.id,
                    t.actor, t.scopes, t.request_id as "requestId", t.is_rehearsal as "isDryRun",
                    t.created_at as "createdAt", t.next_place as "nextPlace", t.lease_token as token, c.name as channel
               from named t left join channels c on c.id = t.channel_id`,
      values: [accountId, id, lease.now, lease.until, lease.token],
    })
    if (rows[0] !== undefined) return rows[0]
  }
  return null
}

interface ImportKey {
  readonly accountId: string
  readonly id: string
}

type ImportLease = Pick<LeasedImport, 'accountId' | 'id' | 'token'>

/**
 * The next rows from a place on: tracking requests that were not refused when they were read, and rows of statements
 * that wait.
 */
export async function readRowsToHandOver(
  db: Db,
  of: ImportKey & { readonly from: number; readonly limit: number },
): Promise<readonly { readonly place: number; readonly input: unknown }[]> {
  const { rows } = await db.query<{ place: number; input: unknown }>({
    name: 'import_rows_to_hand_over',
    text: `select place, input from import_rows
            where account_id = $1 and import_id = $2 and place >= $3 and input is not null
              and (errors is null or outcome = 'waiting')
            order by place limit $4`,
    values: [of.accountId, of.id, of.from, of.limit],
  })
  return rows
}

/** `next` null: no rows are left. */
interface NextStep {
  readonly next: number | null
  readonly dueAt: string
}

/** Notes that the rows are in the batch, in this order. */
export async function recordHandOver(
  pool: Pool,
  of: ImportLease & NextStep & { readonly batchId: string; readonly places: readonly number[] },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await advanceImport(db, of))) return
    await db.query({
      name: 'import_rows_handed_over',
      text: `update import_rows r set batch_id = $3, batch_place = t.nth - 1
               from unnest($4::int[]) with ordinality as t(place, nth)
              where r.account_id = $1 and r.import_id = $2 and r.place = t.place`,
      values: [of.accountId, of.id, of.batchId, of.places],
    })
  })
}

/** Notes that the statements of these rows were ingested with this delivery. */
export async function recordIngestedRows(
  pool: Pool,
  of: ImportLease &
    NextStep & {
      readonly messageId: string
      readonly ingested: readonly { readonly place: number; readonly outcome: RowOutcome }[]
    },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await advanceImport(db, of))) return
    await db.query({
      name: 'import_rows_taken',
      text: `update import_rows r set outcome = t.outcome, message_id = $3
               from unnest($4::int[], $5::text[]) as t(place, outcome)
              where r.account_id = $1 and r.import_id = $2 and r.place = t.place`,
      values: [
        of.accountId,
        of.id,
        of.messageId,
        of.ingested.map(({ place }) => place),
        of.ingested.map(({ outcome }) => outcome),
      ],
    })
  })
}

/** Notes what the rehearsal of these rows found; null for a row that would be made. */
export async function recordDryRun(
  pool: Pool,
  of: ImportLease &
    NextStep & {
      readonly found: readonly { readonly place: number; readonly errors: readonly ItemError[] | null }[]
    },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    if (!(await advanceImport(db, of))) return
    await db.query({
      name: 'import_rows_rehearsed',
      text: `update import_rows r set errors = t.errors, is_rehearsed = true
               from jsonb_to_recordset($3::jsonb) as t(place integer, errors jsonb)
              where r.account_id = $1 and r.import_id = $2 and r.place = t.place`,
      values: [
        of.accountId,
        of.id,
        JSON.stringify(of.found.map(({ place, errors }) => ({ place, ...(errors === null ? {} : { errors }) }))),
      ],
    })
  })
}

/** False when another worker has the import by now. */
async function advanceImport(db: Db, { accountId, id, token, next, dueAt }: ImportLease & NextStep): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'import_go_on',
    text: `update imports set next_place = $3, due_at = $4, leased_until = null, lease_token = null
            where account_id = $1 and id = $2 and lease_token = $5`,
    values: [accountId, id, next, dueAt, token],
  })
  return rowCount === 1
}

/** Notes that nothing more is to be done, or nothing before `dueAt`. */
export async function postponeImport(pool: Pool, of: ImportLease & NextStep): Promise<void> {
  await advanceImport(pool, of)
}
