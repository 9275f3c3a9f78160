/** Versions of charge terms and calendars: rows are added and never changed. Both tables have the same shape. */

import type { CalendarContent } from '../../core/charges/calendar.ts'
import type { TermsContent } from '../../core/charges/terms.ts'
import type { Db } from '../database.ts'
import { type Author, type AuthorId, authorOf } from '../people/author.ts'

/** What a version of each table contains. */
export interface VersionContents {
  readonly charge_terms: TermsContent
  readonly charge_calendars: CalendarContent
}
export type VersionTable = keyof VersionContents

export interface ChargeVersion<Table extends VersionTable> {
  readonly accountId: string
  readonly id: string
  readonly code: string
  readonly version: number
  readonly content: VersionContents[Table]
  readonly recordedAt: string
  readonly recordedBy: Author
}

const columns = `v.account_id as "accountId", v.id, v.code, v.version, v.content, v.recorded_at as "recordedAt",
  ${authorOf({ account: 'v.account_id', by: 'v.recorded_by' })} as "recordedBy"`

/** All versions that were on record at a moment, by code and version. `until`: null for now. */
export async function readVersions<Table extends VersionTable>(
  db: Db,
  table: Table,
  of: { readonly accountId: string; readonly until: string | null; readonly id?: string },
): Promise<readonly ChargeVersion<Table>[]> {
  const { rows } = await db.query<ChargeVersion<Table>>({
    name: `${table}_read`,
    text: `select ${columns} from public.${table} v
            where v.account_id = $1 and v.recorded_at <= coalesce($2::timestamptz, 'infinity')
              and ($3::uuid is null or v.id = $3)
            order by v.code, v.version`,
    values: [of.accountId, of.until, of.id ?? null],
  })
  return rows
}

/** Two that add versions for one account at a time wait for each other, so that no version number is given twice. */
export async function lockVersions(db: Db, table: VersionTable, accountId: string): Promise<void> {
  await db.query({
    name: 'charge_versions_lock',
    text: `select pg_advisory_xact_lock(hashtextextended($1 || $2::text, 0))`,
    values: [table, accountId],
  })
}

export async function insertVersion<Table extends VersionTable>(
  db: Db,
  table: Table,
  version: Omit<ChargeVersion<Table>, 'recordedBy'> & { readonly recordedBy: AuthorId },
): Promise<void> {
  await db.query({
    name: `${table}_insert`,
    text: `insert into ${table} (account_id, id, code, version, content, recorded_at, recorded_by)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      version.accountId,
      version.id,
      version.code,
      version.version,
      JSON.stringify(version.content),
      version.recordedAt,
      JSON.stringify(version.recordedBy),
    ],
  })
}
