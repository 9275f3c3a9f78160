/** Audited invoices: rows are added and never changed. */

import type { Db } from '../../db/database.ts'
import { makeConditions, sql } from '../../db/listing/conditions.ts'
import { getJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, rowJson } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { InvoiceAudit } from '../../domain/charges/audit-invoice.ts'
import type { Invoice } from '../../domain/charges/invoice.ts'
import { type Author, type AuthorId, authorOf } from '../audit/author-sql.ts'
import type { ChargeVersion } from '../charges/charge-versions-sql.ts'

/** What the audit was counted by: each version of terms and calendars that a day names. */
export interface AuditBasis {
  readonly terms: readonly Pick<ChargeVersion<'charge_terms'>, 'code' | 'version' | 'content' | 'recordedAt'>[]
  readonly calendars: readonly Pick<ChargeVersion<'charge_calendars'>, 'code' | 'version' | 'content' | 'recordedAt'>[]
}

export interface AuditFilter {
  readonly number: string | null
}

export interface AuditRow {
  readonly accountId: string
  readonly id: string
  readonly number: string | null
  readonly invoice: Invoice
  readonly audit: InvoiceAudit & AuditBasis
  readonly madeAt: string
  readonly madeBy: Author
}

export async function insertAudit(
  db: Db,
  accountId: string,
  row: Omit<AuditRow, 'accountId' | 'number' | 'madeBy'> & { readonly madeBy: AuthorId },
): Promise<void> {
  const { id, invoice, audit, madeAt, madeBy } = row
  const values = [invoice, audit, madeBy].map((each) => JSON.stringify(each))
  await db.query({
    name: 'invoice_audit_insert',
    text: `insert into invoice_audits (account_id, id, number, made_at, invoice, audit, made_by)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [accountId, id, invoice.number, madeAt, ...values],
  })
  const lines = invoice.lines.flatMap(({ container, from, to }, index) =>
    container === null || from === null || to === null ? [] : [{ container, from, to, line: index + 1 }],
  )
  await db.query({
    name: 'invoiced_days_insert',
    text: `insert into invoiced_days (account_id, container, audit_id, line, kind, charged_by, from_day, to_day)
           select $1, container, $2, line, $3, $4, "from", "to"
             from jsonb_to_recordset($5) as t (container text, line integer, "from" date, "to" date)`,
    values: [accountId, id, invoice.kind, invoice.chargedBy, JSON.stringify(lines)],
  })
}

export interface InvoicedDays {
  readonly container: string
  readonly number: string | null
  readonly kind: Invoice['kind']
  readonly chargedBy: Invoice['chargedBy']
  readonly from: string
  readonly to: string
}

/**
 * What other invoices charged for these containers that were on record before this one: before `now`, and before the
 * first audit of the same number, since an invoice may be submitted again. Invoices without a number cannot be
 * distinguished.
 */
export async function findInvoicedDays(
  db: Db,
  of: {
    readonly accountId: string
    readonly containers: readonly string[]
    readonly number: string | null
    readonly now: string
  },
): Promise<readonly InvoicedDays[]> {
  const { rows } = await db.query<InvoicedDays>({
    name: 'invoiced_days_find',
    text: `select d.container, a.number, d.kind, d.charged_by as "chargedBy", d.from_day::text as "from",
                  d.to_day::text as "to"
             from invoiced_days d join invoice_audits a on a.account_id = d.account_id and a.id = d.audit_id
            where d.account_id = $1 and d.container = any($2) and a.number <> $3::text
              and a.made_at < coalesce((select min(f.made_at) from invoice_audits f
                                         where f.account_id = $1 and f.number = $3 and f.made_at < $4), $4::timestamptz)
            order by d.audit_id, d.line`,
    values: [of.accountId, of.containers, of.number, of.now],
  })
  return rows
}

const columns = `a.account_id as "accountId", a.id, a.number, a.invoice, a.audit, a.made_at as "madeAt",
  ${authorOf({ account: 'a.account_id', by: 'a.made_by' })} as "madeBy"`

/** Newest first. */
export async function listAudits(
  db: Db,
  of: { readonly accountId: string; readonly filter: AuditFilter; readonly page: PageRequest },
): Promise<Page<AuditRow>> {
  const conditions = makeConditions('a', of.accountId)
  conditions.add(sql`a.number = ${of.filter.number}`)
  const { rows, ...rest } = await readListing<AuditRow>(db, {
    table: 'invoice_audits',
    alias: 'a',
    select: rowJson(columns),
    joins: '',
    sort: { column: 'made_at', type: 'timestamptz' },
    isDescending: true,
    conditions,
    page: of.page,
    isCounted: true,
  })
  return { rows: rows.map((row) => ({ ...row, madeAt: getJsonInstant(row.madeAt) })), ...rest }
}

export async function findAudit(
  db: Db,
  of: { readonly accountId: string; readonly id: string },
): Promise<AuditRow | null> {
  const { rows } = await db.query<AuditRow>({
    name: 'invoice_audit_find',
    text: `select ${columns} from invoice_audits a where a.account_id = $1 and a.id = $2`,
    values: [of.accountId, of.id],
  })
  return rows[0] ?? null
}

export interface BilledContainer {
  readonly id: string
  readonly number: string
  readonly bill: string | null
  readonly scac: string
}

/** The containers of the account that bear these numbers, each with the bill of its shipment. */
export async function findBilledContainers(
  db: Db,
  of: { readonly accountId: string; readonly numbers: readonly string[] },
): Promise<readonly BilledContainer[]> {
  const { rows } = await db.query<BilledContainer>({
    name: 'billed_boxes',
    text: `select c.id, c.number, s.bill_of_lading_number as bill, s.scac
             from containers c join shipments s on s.account_id = c.account_id and s.id = c.shipment_id
            where c.account_id = $1 and c.number = any($2)`,
    values: [of.accountId, of.numbers],
  })
  return rows
}
