/**
 * Compares an invoice with what is known now, and stores the findings. The same invoice can be audited again when more
 * is known; each audit stays as it was made.
 */

import { inTransaction } from '../../db/database.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { auditInvoice, type InvoiceAudit } from '../../domain/charges/audit-invoice.ts'
import type { ResolvedContainer } from '../../domain/charges/audited-day.ts'
import { type Invoice, lastChargedDay } from '../../domain/charges/invoice.ts'
import { openTermsBook } from '../../domain/charges/terms-book.ts'
import { addDays, localDateIn } from '../../domain/values/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, recordChange } from '../audit/record-change.ts'
import { type RecordedVersions, readRecordedVersions } from '../charges/charge-book.ts'
import { readContainerCharges } from '../charges/get-charges.ts'
import { notFound } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import {
  type AuditBasis,
  type AuditFilter,
  type AuditRow,
  type BilledContainer,
  findAudit,
  findBilledContainers,
  findInvoicedDays,
  type InvoicedDays,
  insertAudit,
  listAudits,
} from './invoice-audits-sql.ts'

export async function makeAudit(service: Service, context: Context, invoice: Invoice): Promise<AuditRow> {
  requireScope(context, 'write')
  const accountId = context.account.id
  const madeAt = journeyNow(service, context.account.isSandbox)
  const audit = await auditAsOf(service, context, { invoice, now: madeAt, asOf: null })
  const id = uuidV7(service.clock.now())
  await inTransaction(service.pool, async (db) => {
    const madeBy = changedBy(service, context).actor
    await insertAudit(db, accountId, { id, invoice, audit, madeAt, madeBy })
    const target = { type: 'invoice_audit', id } as const
    await recordChange(db, service, context, { action: 'invoice_audit.created', target, diff: null })
  })
  return getAudit(service, context, { id })
}

export async function getAudit(service: Service, context: Context, { id }: { readonly id: string }): Promise<AuditRow> {
  requireScope(context, 'read')
  const found = await findAudit(service.pool, { accountId: context.account.id, id })
  if (found === null) throw notFound('invoice audit')
  return found
}

/** Newest first. */
export async function pageAudits(
  service: Service,
  context: Context,
  input: { readonly filter: AuditFilter; readonly page: PageRequest },
): Promise<Page<AuditRow>> {
  requireScope(context, 'read')
  return listAudits(service.pool, { accountId: context.account.id, ...input })
}

/** `asOf`: null for what is known now, else `now`: what was known then. The same audit comes of it at any later time. */
export async function auditAsOf(
  service: Service,
  context: Context,
  of: { readonly invoice: Invoice; readonly now: string; readonly asOf: string | null },
): Promise<InvoiceAudit & AuditBasis> {
  const { invoice, now, asOf } = of
  const accountId = context.account.id
  const numbers = [...new Set(invoice.lines.flatMap(({ container }) => container ?? []))]
  const recorded = await readRecordedVersions(service.pool, { accountId, until: asOf })
  const book = openTermsBook(recorded.terms, recorded.calendars)
  const billedByNumber = Map.groupBy(
    await findBilledContainers(service.pool, { accountId, numbers }),
    ({ number }) => number,
  )
  const until = forecastEnd(invoice, now)
  const matched = new Map<string, ResolvedContainer>()
  for (const number of numbers) {
    const billed = chooseContainer(billedByNumber.get(number) ?? [], invoice.bills)
    if (typeof billed === 'string') matched.set(number, billed)
    else
      matched.set(number, {
        charges: await readContainerCharges(service, context, {
          containerId: billed.id,
          book,
          now,
          until,
          asOf,
        }),
      })
  }
  const earlier = await findInvoicedDays(service.pool, {
    accountId,
    containers: numbers,
    number: invoice.number,
    now,
  })
  const audit = auditInvoice(invoice, {
    resolveContainer: (number) => matched.get(number) ?? 'unknown',
    earlierInvoice: (container, day) => findEarlierInvoice(earlier, { invoice, container, day }),
  })
  return { ...audit, ...basisOf(audit, recorded) }
}

/** Days of the invoice that have not begun are counted too, as far as a forecast goes. */
function forecastEnd(invoice: Invoice, now: string): string {
  const today = localDateIn(now, null)
  const last = lastChargedDay(invoice) ?? today
  const end = addDays(today, 366)
  if (last > end) return end
  return last
}

/** The container of one of the invoice's bills. Without a bill on the invoice, the only one that bears the number. */
function chooseContainer(
  candidates: readonly BilledContainer[],
  bills: readonly string[],
): BilledContainer | 'unknown' | 'of_other_bill' {
  const [only, ...more] =
    bills.length === 0 ? candidates : candidates.filter((candidate) => bills.some((bill) => isBillOf(candidate, bill)))
  if (only !== undefined) return more.length === 0 ? only : 'unknown'
  return candidates.length > 0 ? 'of_other_bill' : 'unknown'
}

/** Papers write a number with or without the code of its line. */
function isBillOf({ bill, scac }: BilledContainer, written: string): boolean {
  return bill !== null && (bill === written || scac + bill === written || bill === scac + written)
}

function findEarlierInvoice(
  earlier: readonly InvoicedDays[],
  of: { readonly invoice: Invoice; readonly container: string; readonly day: string },
): string | null {
  const { invoice, container, day } = of
  const found = earlier.find(
    (each) =>
      each.container === container &&
      each.from <= day &&
      day <= each.to &&
      each.chargedBy === invoice.chargedBy &&
      isSameCharge(each.kind, invoice.kind),
  )
  return found?.number ?? null
}

/** A combined charge is for what demurrage and detention are for. */
function isSameCharge(a: Invoice['kind'], b: Invoice['kind']): boolean {
  const isPart = (kind: Invoice['kind']) => kind === 'demurrage' || kind === 'detention'
  return a === b || (a === 'combined' && isPart(b)) || (b === 'combined' && isPart(a))
}

/** The versions that the days name. */
function basisOf({ days }: InvoiceAudit, { terms, calendars }: RecordedVersions): AuditBasis {
  const statements = days.flatMap(({ statement }) => statement ?? [])
  const named = new Set(statements.map((each) => `${each.terms.code} ${each.terms.version}`))
  const counted = new Set(
    statements.flatMap(({ calendar }) => (calendar ? `${calendar.code} ${calendar.version}` : [])),
  )
  return {
    terms: terms
      .filter(({ code, version }) => named.has(`${code} ${version}`))
      .map(({ code, version, recordedAt, ...content }) => ({ code, version, recordedAt, content })),
    calendars: calendars
      .filter(({ code, version }) => counted.has(`${code} ${version}`))
      .map(({ code, version, recordedAt, ...content }) => ({ code, version, recordedAt, content })),
  }
}
