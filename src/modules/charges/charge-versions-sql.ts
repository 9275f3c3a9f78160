/** Versions of charge terms and calendars: rows are added and never changed. Both tables have the same shape. */

import type { Db } from '../../db/database.ts'
import type { CalendarContent } from '../../domain/charges/calendar.ts'
import type { TermsContent } from '../../domain/charges/terms.ts'
import { type Author, type AuthorId, authorOf } from '../audit/author-sql.ts'

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

const onRecord = `where v.account_id = $1 and v.recorded_at <= coalesce($2::timestamptz, 'infinity')
              and ($3::uuid is null or v.id = $3)
            order by v.code, v.version`
const reading = {
  charge_terms: <Row extends object>(db: Db, values: unknown[]) =>
    db.query<Row>({
      name: 'charge_terms_read',
      text: `select ${columns} from charge_terms v ${onRecord}`,
      values,
    }),
  charge_calendars: <Row extends object>(db: Db, values: unknown[]) =>
    db.query<Row>({
      name: 'charge_calendars_read',
      text: `select ${columns} from charge_calendars v ${onRecord}`,
      values,
    }),
}

/** All versions that were on record at a moment, by code and version. `until`: null for now. */
export async function readVersions<Table extends VersionTable>(
  db: Db,
  table: Table,
  of: { readonly accountId: string; readonly until: string | null; readonly id?: string },
): Promise<readonly ChargeVersion<Table>[]> {
  const values = [of.accountId, of.until, of.id ?? null]
  const { rows } = await reading[table]<ChargeVersion<Table>>(db, values)
  return rows
}

/** Two that add versions for one account at a time wait for each other, so that no version number is given twice. */
export async function lockVersions(db: Db, table: VersionTable, accountId: string): Promise<void> {
  await db.query({
    name: 'charge_versions_lock',
    text: `select pg_advisory_xact_lock(hashtextextended($1::text || $2::text, 0))`,
    values: [table, accountId],
  })
}

const row = `(account_id, id, code, version, content, recorded_at, recorded_by)
           values ($1, $2, $3, $4, $5, $6, $7)`
const adding = {
  charge_terms: (db: Db, values: unknown[]) =>
    db.query({ name: 'charge_terms_insert', text: `insert into charge_terms ${row}`, values }),
  charge_calendars: (db: Db, values: unknown[]) =>
    db.query({ name: 'charge_calendars_insert', text: `insert into charge_calendars ${row}`, values }),
}

export async function insertVersion<Table extends VersionTable>(
  db: Db,
  table: Table,
  newVersion: Omit<ChargeVersion<Table>, 'recordedBy'> & { readonly recordedBy: AuthorId },
): Promise<void> {
  const { accountId, id, code, version, content, recordedAt, recordedBy } = newVersion
  const recorded = [recordedAt, JSON.stringify(recordedBy)]
  await adding[table](db, [accountId, id, code, version, JSON.stringify(content), ...recorded])
}
