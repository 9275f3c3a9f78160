/** Tables of tracking requests or of statements: the content of each row, and how many rows were passed on. */

import type { Db } from '../../db/database.ts'
import { boundsOf, type Page, type PageRequest } from '../../db/listing/page.ts'
import type { ItemError } from '../tracking-requests/request-batches-sql.ts'

export interface NewImport {
  readonly accountId: string
  readonly id: string
  readonly actor: unknown
  readonly scopes: readonly string[]
  readonly requestId: string
  readonly fileName: string | null
  readonly fileSha256: string
  readonly reading: unknown
  readonly mapName: string | null
  /** The channel through which its statements come; null for tracking requests. */
  readonly channelId: string | null
  readonly isDryRun: boolean
  /** True when nothing is left to be done with its rows. */
  readonly isChecked: boolean
  readonly createdAt: string
}

/** Outcomes of a row of statements. A bad cell is reported beside the outcome, because the rest of the row counts. */
export const rowOutcomes = ['waiting', 'taken', 'repeated', 'valid'] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export interface NewImportRow {
  readonly rowNumber: number
  readonly read: Readonly<Record<string, unknown>>
  /** Null when the row has no valid tracking request. */
  readonly input: unknown
  readonly numberField: string | null
  readonly errors: readonly ItemError[] | null
  /** Null or missing for a row without a statement, and for a tracking request. */
  readonly outcome?: RowOutcome | null
}

/**
 * One statement, so that an import is written with all its rows or not at all. Nothing is written when an import with
 * this id exists.
 */
export async function insertImport(db: Db, newImport: NewImport, rows: readonly NewImportRow[]): Promise<void> {
  await db.query({
    name: 'import_insert',
    text: `with made as (
             insert into imports (account_id, id, actor, scopes, request_id, file_name, file_sha256, reading, map_name,
                                  is_rehearsal, rows_total, created_at, next_place, due_at, channel_id)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, jsonb_array_length($12::jsonb), $11,
                     case when $14 then null else 0 end, $11, $13)
             on conflict do nothing
             returning account_id, id
           )
           insert into import_rows (account_id, import_id, place, row_number, read, input, number_field, errors,
                                    outcome)
           select m.account_id, m.id, r.place - 1, r."rowNumber", r.read, r.input, r."numberField", r.errors, r.outcome
             from made m,
                  rows from (jsonb_to_recordset($12::jsonb) as (
                    "rowNumber" integer, read jsonb, input jsonb, "numberField" text, errors jsonb, outcome text))
                    with ordinality as r("rowNumber", read, input, "numberField", errors, outcome, place)`,
    values: [
      newImport.accountId,
      newImport.id,
      JSON.stringify(newImport.actor),
      newImport.scopes,
      newImport.requestId,
      newImport.fileName,
      newImport.fileSha256,
      JSON.stringify(newImport.reading),
      newImport.mapName,
      newImport.isDryRun,
      newImport.createdAt,
      JSON.stringify(rows),
      newImport.channelId,
      newImport.isChecked,
    ],
  })
}

/** `partly`: a cell of the row could not be read, and the rest of the row is ingested, or would be. */
export const importRowStatuses = [
  'waiting',
  'queued',
  'created',
  'taken',
  'partly',
  'repeated',
  'valid',
  'duplicate',
  'invalid',
] as const
export type ImportRowStatus = (typeof importRowStatuses)[number]

export interface ImportReading {
  readonly id: string
  readonly fileName: string | null
  readonly fileSha256: string
  readonly reading: unknown
  readonly mapName: string | null
  /** Name of the channel through which its statements come; null for tracking requests. */
  readonly channel: string | null
  readonly isDryRun: boolean
  readonly rowsTotal: number
  readonly createdAt: string
  /** How many rows have each status. A status that no row has is left out. */
  readonly counts: Readonly<Partial<Record<ImportRowStatus, number>>>
  /** The earliest time at which the last queued row can be made; null when no row is queued. */
  readonly lastDueAt: string | null
}

/**
 * Looks up the items row by row, by their key, regardless of the planner's estimates. Before the tables' first
 * statistics the planner assumed that both tables were empty and compared every row with every item (ten thousand rows
 * took more than 5 s; this way 0.1 s).
 */
const rowsWithItems = `import_rows r
  left join lateral (
    select i.status, i.errors, i.due_at, i.tracking_request_id from request_batch_items i
     where i.account_id = $1 and i.batch_id = r.batch_id and i.place = r.batch_place
    offset 0) i on true`
const errors = `coalesce(r.errors, i.errors)`
const status = `case
    when r.outcome in ('taken', 'valid') and r.errors is not null then 'partly'
    when r.outcome is not null then r.outcome
    when ${errors} is not null then case when ${errors} -> 0 ->> 'code' = 'duplicate' then 'duplicate' else 'invalid' end
    when r.is_rehearsed then 'valid'
    when i.status is null then 'waiting'
    else i.status end`

export async function readImport(
  db: Db,
  key: { readonly accountId: string; readonly id: string },
): Promise<ImportReading | null> {
  const { rows } = await db.query<ImportReading>({
    name: 'import_read',
    text: `with found as materialized (
             select m.*, c.counts, c.last
               from imports m
               cross join lateral (
                 select coalesce(jsonb_object_agg(s.status, s.n), '{}') as counts, max(s.last) as last
                   from (select ${status} as status, count(*)::int as n, max(i.due_at) as last
                           from ${rowsWithItems}
                          where r.account_id = $1 and r.import_id = $2
                          group by 1) s
               ) c
              where m.account_id = $1 and m.id = $2
           )
           select m.id, m.file_name as "fileName", m.file_sha256 as "fileSha256", m.reading, m.map_name as "mapName",
                  (select h.name from channels h where h.id = m.channel_id) as channel, m.is_rehearsal as "isDryRun",
                  m.rows_total as "rowsTotal", m.created_at as "createdAt", m.counts, m.last as "lastDueAt"
             from found m`,
    values: [key.accountId, key.id],
  })
  return rows[0] ?? null
}

export interface ImportRowReading {
  readonly place: number
  readonly rowNumber: number
  readonly read: Readonly<Record<string, unknown>>
  readonly numberField: string | null
  readonly requestType: string | null
  readonly requestNumber: string | null
  readonly scac: string | null
  readonly status: ImportRowStatus
  readonly errors: readonly ItemError[] | null
  readonly trackingRequestId: string | null
  readonly dueAt: string | null
  /** How many statements it has; null for a tracking request. */
  readonly statements: number | null
  /** The delivery with which its statements were ingested. */
  readonly messageId: string | null
}

const rowColumns = `r.place, r.row_number as "rowNumber", r.read, r.number_field as "numberField",
  r.input ->> 'requestType' as "requestType", r.input ->> 'requestNumber' as "requestNumber", r.input ->> 'scac' as scac,
  ${status} as status, ${errors} as errors, i.due_at as "dueAt",
  jsonb_array_length(r.input -> 'statements') as statements, r.message_id as "messageId",
  case when i.status = 'created' then i.tracking_request_id end as "trackingRequestId"`

/** In the order of the file. `status` null: all rows. */
export async function readImportRows(
  db: Db,
  of: {
    readonly accountId: string
    readonly importId: string
    readonly status: ImportRowStatus | null
    readonly page: PageRequest
  },
): Promise<Page<ImportRowReading>> {
  const { accountId, importId, page } = of
  const counted = await db.query<{ total: number }>({
    name: 'import_rows_count',
    text: `select count(*)::int as total from ${rowsWithItems}
            where r.account_id = $1 and r.import_id = $2 and ($3::text is null or ${status} = $3)`,
    values: [accountId, importId, of.status],
  })
  const { rows } = await db.query<ImportRowReading>({
    name: 'import_rows_read',
    text: `select ${rowColumns} from ${rowsWithItems}
            where r.account_id = $1 and r.import_id = $2 and ($3::text is null or ${status} = $3)
            order by r.place limit $4 offset $5`,
    values: [accountId, importId, of.status, ...boundsOf(page)],
  })
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** The next rows after a place, for a caller who reads all of them. */
export async function readImportRowsAfter(
  db: Db,
  of: {
    readonly accountId: string
    readonly importId: string
    readonly status: ImportRowStatus | null
    readonly after: number
    readonly limit: number
  },
): Promise<readonly ImportRowReading[]> {
  const { rows } = await db.query<ImportRowReading>({
    name: 'import_rows_after',
    text: `select ${rowColumns} from ${rowsWithItems}
            where r.account_id = $1 and r.import_id = $2 and ($3::text is null or ${status} = $3) and r.place > $4
            order by r.place limit $5`,
    values: [of.accountId, of.importId, of.status, of.after, of.limit],
  })
  return rows
}
