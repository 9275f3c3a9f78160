/** `invoice_audit`: an invoice that was held against what was known, day by day, with the items that it must have. */

import type { IdentifiedReading, ResourceKind } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import type { AuditedDay, InvoiceAudit } from '../../domain/charges/audit-invoice.ts'
import { dayFindings, findingReasons } from '../../domain/charges/audited-day.ts'
import { type Invoice, type InvoiceLine, invoiceDirections, invoiceIssuers } from '../../domain/charges/invoice.ts'
import { dateChecks, dateOutcomes } from '../../domain/charges/invoice-items.ts'
import { chargeKinds, chargers } from '../../domain/charges/terms.ts'
import { Type } from '../../platform/json-schema.ts'
import { author } from '../audit/author-resource.ts'
import { money, moneyOrNull } from '../charges/charge-parts-resource.ts'
import type { AuditRow } from './invoice-audits-sql.ts'

export interface InvoiceAuditReading extends IdentifiedReading {
  readonly type: 'invoice_audit'
  readonly row: AuditRow
}

export function readInvoiceAudit(row: AuditRow): InvoiceAuditReading {
  return { type: 'invoice_audit', id: row.id, row }
}

const minor = (extra: object = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 1_000_000_000, ...extra })
const day = (extra: object = {}) => schema.textOrNull({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', ...extra })
const boundedText = (maxLength: number, extra: object = {}) => schema.textOrNull({ maxLength, ...extra })

/** What a line of an invoice states; null where it states nothing. */
export const invoiceLineProperties = {
  container: boundedText(20),
  from: day({ description: 'First charged day.' }),
  to: day({ description: 'Last charged day, included.' }),
  free_days: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 10_000 }),
  free_from: day(),
  free_to: day(),
  available_on: day(),
  earliest_return_on: day(),
  rate_minor: minor({ description: 'For each day, in minor units.' }),
  amount_minor: minor(),
} as const

/** What the invoice states in total; null where it states nothing. */
export const invoiceProperties = {
  document_id: schema.textOrNull({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'The document from which the invoice was read. Values in the body replace the values that were read.',
  }),
  number: boundedText(100),
  kind: schema.oneOf(chargeKinds),
  charged_by: schema.oneOf(chargers),
  charger_code: boundedText(40, { description: 'SCAC, code of a terminal, name of a pool.' }),
  issuer: schema.oneOf(invoiceIssuers, { description: '`nvocc` passes on an invoice that it received.' }),
  direction: schema.oneOf(invoiceDirections),
  bills: schema.texts({ maxItems: 200 }),
  port_of_discharge: boundedText(10, { description: 'UN/LOCODE.' }),
  basis: boundedText(2_000, {
    description: 'Why the invoice goes to this party. Landfall only checks whether there is a text.',
  }),
  invoiced_on: day(),
  due_on: day(),
  received_invoice_on: day({ description: 'For an NVOCC: the date of the invoice that it received itself.' }),
  currency: schema.text({ description: 'ISO 4217; of all amounts.' }),
  total_minor: minor(),
  rule: boundedText(1_000, { description: 'The rule of the tariff, contract or schedule that the invoice names.' }),
  dispute_contact: boundedText(1_000),
  dispute_url: boundedText(2_048),
  dispute_timeframes: boundedText(2_000),
  dispute_until: day(),
  consistency_certified: Type.Boolean(),
  performance_certified: Type.Boolean(),
} as const

const sums = (description: string) => schema.list(money, { description })
const lineNumber = Type.Integer({ minimum: 1, description: 'Number of the line of the invoice.' })

const properties = {
  ...invoiceProperties,
  lines: schema.list(schema.object(invoiceLineProperties)),
  agreed: sums('Amounts that agree with our days.'),
  in_dispute: sums('Amounts that our days, or the sums of the invoice itself, contradict.'),
  not_judged: sums('Amounts that cannot be judged.'),
  missing_items: schema.list(
    schema.object({
      clause: schema.text({ description: 'Of 46 CFR.' }),
      item: schema.text(),
      is_certain: Type.Boolean({
        description: 'False: the item was not read from the document, but it may be printed there.',
      }),
      lines: schema.list(lineNumber, {
        description: 'Lines without this item; empty for an item of the whole invoice.',
      }),
    }),
    { description: 'Required items that this invoice does not have.' },
  ),
  dates: schema.list(
    schema.object({
      check: schema.oneOf(dateChecks),
      clause: schema.text(),
      outcome: schema.oneOf(dateOutcomes),
      limit: schema.dayOrNull(),
      given: schema.dayOrNull(),
    }),
  ),
  wrong_sums: schema.list(
    schema.object({
      line: schema.integerOrNull({ description: 'Null for the total.' }),
      given: money,
      calculated: money,
    }),
  ),
  days: schema.list(
    schema.object({
      line: lineNumber,
      container: schema.textOrNull(),
      on: schema.text({ format: 'date' }),
      finding: schema.oneOf(dayFindings),
      reason: schema.oneOf(findingReasons),
      sentence: schema.text(),
      billed: moneyOrNull,
      amount: moneyOrNull,
      claim_ids: schema.texts(),
    }),
    { description: 'Each charged day, compared with our own.' },
  ),
  made_at: schema.instant({ description: 'The invoice was compared with what was known at this time.' }),
  made_by: author.attribute,
} as const

export const invoiceAudit: ResourceKind<InvoiceAuditReading> = {
  type: 'invoice_audit',
  attributes: properties,
  relations: {},
  write: ({ row: { invoice, audit, madeAt, madeBy } }) => ({
    ...writeInvoice(invoice),
    ...writeAudit(audit),
    made_at: madeAt,
    made_by: author.write(madeBy),
  }),
  link: () => ({}),
  self: ({ id }) => `/invoices/audits/${id}`,
  moreLinks: { evidence: ({ id }) => `/invoices/audits/${id}/evidence` },
}

type WireValues<Properties> = { readonly [Name in keyof Properties]: unknown }

/** The invoice by the names of the API. */
export function writeInvoice(
  invoice: Invoice,
): WireValues<typeof invoiceProperties> & { readonly lines: readonly unknown[] } {
  return {
    document_id: invoice.documentId,
    number: invoice.number,
    kind: invoice.kind,
    charged_by: invoice.chargedBy,
    charger_code: invoice.chargerCode,
    issuer: invoice.issuer,
    direction: invoice.direction,
    bills: invoice.bills,
    port_of_discharge: invoice.portOfDischarge,
    basis: invoice.basis,
    invoiced_on: invoice.invoicedOn,
    due_on: invoice.dueOn,
    received_invoice_on: invoice.receivedInvoiceOn,
    currency: invoice.currency,
    total_minor: invoice.totalMinor,
    rule: invoice.rule,
    dispute_contact: invoice.disputeContact,
    dispute_url: invoice.disputeUrl,
    dispute_timeframes: invoice.disputeTimeframes,
    dispute_until: invoice.disputeUntil,
    consistency_certified: invoice.isConsistencyCertified,
    performance_certified: invoice.isPerformanceCertified,
    lines: invoice.lines.map(writeLine),
  }
}

function writeLine(line: InvoiceLine): WireValues<typeof invoiceLineProperties> {
  return {
    container: line.container,
    from: line.from,
    to: line.to,
    free_days: line.freeDays,
    free_from: line.freeFrom,
    free_to: line.freeTo,
    available_on: line.availableOn,
    earliest_return_on: line.earliestReturnOn,
    rate_minor: line.rateMinor,
    amount_minor: line.amountMinor,
  }
}

/** What was found, by the names of the API. */
export function writeAudit(audit: InvoiceAudit): Readonly<Record<string, unknown>> {
  return {
    agreed: audit.agrees,
    in_dispute: audit.disputed,
    not_judged: audit.unknown,
    missing_items: audit.missing.map(({ isCertain, ...rest }) => ({ ...rest, is_certain: isCertain })),
    dates: audit.dates,
    wrong_sums: audit.sums,
    days: audit.days.map(writeDay),
  }
}

function writeDay(day: AuditedDay): object {
  const { line, container, on, finding, reason, sentence, billed, amount, claimIds } = day
  return { line, container, on, finding, reason, sentence, billed, amount, claim_ids: claimIds }
}
