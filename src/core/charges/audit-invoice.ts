/**
 * An invoice held against what we know: missing items, dates, each charged day, and sums. What agrees, what is in dispute
 * and what nobody can tell add up to what the lines take. Where nothing is known, nothing is found wrong.
 */

import { atRate, type OwnView, viewOf } from './audited-day.ts'
import { sumOf } from './bill.ts'
import type { BoxCharges } from './charges.ts'
import { daysOfLine, type Invoice, type InvoiceLine } from './invoice.ts'
import { type DateCheck, dateChecksOf, type MissingItem, missingItems } from './invoice-items.ts'
import type { Money } from './money.ts'

export interface AuditedDay extends OwnView {
  /** Number of the line, from 1. */
  readonly line: number
  readonly container: string | null
  readonly on: string
  /** What the invoice takes for the day; null when it gives no rate. */
  readonly billed: Money | null
}

/** An amount that is not what it is made of. */
export interface WrongSum {
  /** Number of the line; null for a total of the invoice. */
  readonly line: number | null
  readonly given: Money
  readonly calculated: Money
}

export interface InvoiceAudit {
  readonly missing: readonly MissingItem[]
  readonly dates: readonly DateCheck[]
  readonly days: readonly AuditedDay[]
  readonly sums: readonly WrongSum[]
  readonly agrees: readonly Money[]
  readonly disputed: readonly Money[]
  readonly unknown: readonly Money[]
}

/** `chargesOf`: the charges of the container of a line; null when it is not certain which one is meant. */
export function auditInvoice(
  invoice: Invoice,
  chargesOf: (container: string) => BoxCharges | null,
): InvoiceAudit {
  const days = auditDays(invoice, chargesOf)
  const sums = [...invoice.lines.flatMap(wrongLine), ...wrongTotals(invoice)]
  const shares = days.map(sharesOf)
  return {
    missing: missingItems(invoice),
    dates: dateChecksOf(invoice),
    days,
    sums,
    agrees: sumOf(shares.map(({ agrees }) => agrees)),
    disputed: sumOf([...shares.map(({ disputed }) => disputed), ...sums.map(tooMuch)]),
    unknown: sumOf([...shares.map((share) => share.unknown), ...invoice.lines.map(notByDay)]),
  }
}

function auditDays(
  invoice: Invoice,
  chargesOf: (container: string) => BoxCharges | null,
): readonly AuditedDay[] {
  const seen = new Set<string>()
  const views = new Map<string, (day: string) => OwnView>()
  return invoice.lines.flatMap((line, index) => {
    const { container, rateMinor, currency } = line
    const key = container ?? ''
    const view = views.get(key) ?? viewOf(container === null ? null : chargesOf(container), invoice)
    views.set(key, view)
    const billed = rateMinor === null ? null : { minor: rateMinor, currency }
    return daysOfLine(line).map((on): AuditedDay => {
      const isTwice = container !== null && seen.has(`${container} ${on}`)
      seen.add(`${container} ${on}`)
      const own = isTwice ? twice(view(on)) : atRate(view(on), billed)
      return { ...own, line: index + 1, container, on, billed }
    })
  })
}

function twice(view: OwnView): OwnView {
  const sentence = 'This invoice charges the same day of the container before.'
  return { ...view, finding: 'disputed', reason: 'charged_twice', sentence }
}

type Share = Readonly<Record<'agrees' | 'disputed' | 'unknown', Money | null>>

/** Of a day with too high a rate, what our rate comes to agrees and the rest is in dispute. */
function sharesOf({ finding, reason, billed, amount }: AuditedDay): Share {
  const nothing = { agrees: null, disputed: null, unknown: null }
  if (billed === null) return nothing
  if (reason !== 'lower_rate' || amount === null) return { ...nothing, [finding]: billed }
  const disputed = { minor: billed.minor - amount.minor, currency: billed.currency }
  return { ...nothing, agrees: amount, disputed }
}

/** The amount of a line that cannot be laid upon its days. */
function notByDay(line: InvoiceLine): Money | null {
  const isByDay = line.rateMinor !== null && daysOfLine(line).length > 0
  return isByDay || line.amountMinor === null ? null : { minor: line.amountMinor, currency: line.currency }
}

function wrongLine(line: InvoiceLine, index: number): readonly WrongSum[] {
  const { amountMinor, rateMinor, currency } = line
  const days = daysOfLine(line).length
  if (amountMinor === null || rateMinor === null || days === 0) return []
  const calculated = { minor: rateMinor * days, currency }
  if (amountMinor === calculated.minor) return []
  return [{ line: index + 1, given: { minor: amountMinor, currency }, calculated }]
}

/** Totals are held against the amounts of the lines; where a line has none, nobody can tell. */
function wrongTotals({ lines, totals }: Invoice): readonly WrongSum[] {
  if (lines.some(({ amountMinor }) => amountMinor === null)) return []
  const sums = sumOf(lines.map(({ amountMinor, currency }) => ({ minor: amountMinor ?? 0, currency })))
  return totals.flatMap((given) => {
    const calculated = sums.find(({ currency }) => currency === given.currency) ?? { ...given, minor: 0 }
    return given.minor === calculated.minor ? [] : [{ line: null, given, calculated }]
  })
}

/** A sum that is too low takes nothing that could be disputed. */
function tooMuch({ given, calculated }: WrongSum): Money | null {
  const minor = given.minor - calculated.minor
  return minor > 0 ? { minor, currency: given.currency } : null
}
