/**
 * Compares an invoice with our own statements: missing items, dates, each charged day, and sums. The agreed, the
 * disputed and the unknown amounts add up to the amounts of the lines. Where nothing is known, no error is found.
 */

import { createDayJudge, type DayJudgement, judgeRate, type ResolvedContainer } from './audited-day.ts'
import { sumByCurrency } from './bill.ts'
import { daysOfLine, type Invoice, type InvoiceLine } from './invoice.ts'
import { type DateCheck, dateChecksOf, type MissingItem, missingItems } from './invoice-items.ts'
import type { Money } from './money.ts'

export interface AuditedDay extends DayJudgement {
  /** Number of the line, from 1. */
  readonly line: number
  readonly container: string | null
  readonly on: string
  /** The rate of the invoice for the day; null when it gives no rate. */
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

export interface AuditContext {
  readonly resolveContainer: (container: string) => ResolvedContainer
  /** The number of an earlier invoice that charges the same day of the container; null when there is none on record. */
  readonly earlierInvoice: (container: string, day: string) => string | null
}

export function auditInvoice(invoice: Invoice, known: AuditContext): InvoiceAudit {
  const days = auditDays(invoice, known)
  const sums = [...wrongLines(invoice), ...wrongTotal(invoice)]
  const byLine = Map.groupBy(days, ({ line }) => line)
  const lines = invoice.lines.flatMap((line, index) =>
    splitLineWithoutRate(line, { days: byLine.get(index + 1) ?? [], currency: invoice.currency }),
  )
  const shares = [...days.map(sharesOf), ...lines]
  return {
    missing: missingItems(invoice),
    dates: dateChecksOf(invoice),
    days,
    sums,
    agrees: sumByCurrency(shares.map(({ agrees }) => agrees)),
    disputed: sumByCurrency([...shares.map(({ disputed }) => disputed), ...sums.map(excessOf)]),
    unknown: sumByCurrency(shares.map((share) => share.unknown)),
  }
}

function auditDays(invoice: Invoice, { resolveContainer, earlierInvoice }: AuditContext): readonly AuditedDay[] {
  const seen = new Set<string>()
  const views = new Map<string, (day: string) => DayJudgement>()
  return invoice.lines.flatMap((line, index) => {
    const { container, rateMinor } = line
    const key = container ?? ''
    const view = views.get(key) ?? createDayJudge(container === null ? 'unknown' : resolveContainer(container), invoice)
    views.set(key, view)
    const billed = rateMinor === null ? null : { minor: rateMinor, currency: invoice.currency }
    return daysOfLine(line).map((on): AuditedDay => {
      const isTwice = container !== null && seen.has(`${container} ${on}`)
      seen.add(`${container} ${on}`)
      const earlier = container === null ? null : earlierInvoice(container, on)
      const ownView = view(on)
      const judged = isTwice
        ? markChargedTwice(ownView)
        : earlier === null
          ? judgeRate(ownView, billed)
          : markChargedBefore(ownView, earlier)
      return { ...judged, line: index + 1, container, on, billed }
    })
  })
}

/** A day that is not to be charged at all stays so, whoever charges it besides. */
function markChargedTwice(view: DayJudgement): DayJudgement {
  if (view.finding === 'disputed') return view
  const sentence = 'This invoice charges the same day of the container before.'
  return { ...view, finding: 'disputed', reason: 'charged_twice', sentence }
}

function markChargedBefore(view: DayJudgement, invoice: string): DayJudgement {
  if (view.finding === 'disputed') return view
  const sentence = `Invoice ${invoice} charges the same day of the container.`
  return { ...view, finding: 'disputed', reason: 'charged_before', sentence }
}

type Share = Readonly<Record<'agrees' | 'disputed' | 'unknown', Money | null>>

/** When the rate of a day is too high, the amount at our rate is agreed and the rest is disputed. */
function sharesOf({ finding, reason, billed, amount }: AuditedDay): Share {
  const nothing = { agrees: null, disputed: null, unknown: null }
  if (billed === null) return nothing
  if (reason !== 'lower_rate' || amount === null) return { ...nothing, [finding]: billed }
  const disputed = { minor: billed.minor - amount.minor, currency: billed.currency }
  return { ...nothing, agrees: amount, disputed }
}

/** The amount of a line without a rate: it is judged as one amount where all its days are judged alike. */
function splitLineWithoutRate(
  { rateMinor, amountMinor }: InvoiceLine,
  { days, currency }: { readonly days: readonly AuditedDay[]; readonly currency: string },
): readonly Share[] {
  if (amountMinor === null || (rateMinor !== null && days.length > 0)) return []
  const nothing = { agrees: null, disputed: null, unknown: null }
  const amount = { minor: amountMinor, currency }
  if (days.length > 0 && days.every(({ finding }) => finding === 'disputed')) return [{ ...nothing, disputed: amount }]
  const [ownSum, ...others] = sumByCurrency(days.map((day) => day.amount))
  const isPriced = days.every((day) => day.reason === 'charged' && day.amount !== null)
  if (!isPriced || ownSum === undefined || others.length > 0 || ownSum.currency !== currency)
    return [{ ...nothing, unknown: amount }]
  if (amountMinor <= ownSum.minor) return [{ ...nothing, agrees: amount }]
  return [{ ...nothing, agrees: ownSum, disputed: { minor: amountMinor - ownSum.minor, currency } }]
}

function wrongLines({ lines, currency }: Invoice): readonly WrongSum[] {
  return lines.flatMap((line, index) => {
    const { amountMinor, rateMinor } = line
    const days = daysOfLine(line).length
    if (amountMinor === null || rateMinor === null || days === 0 || amountMinor === rateMinor * days) return []
    const calculated = { minor: rateMinor * days, currency }
    return [{ line: index + 1, given: { minor: amountMinor, currency }, calculated }]
  })
}

/** The total is compared with the amounts of the lines; where a line has none, the result is unknown. */
function wrongTotal({ lines, totalMinor, currency }: Invoice): readonly WrongSum[] {
  if (totalMinor === null || lines.some(({ amountMinor }) => amountMinor === null)) return []
  const minor = lines.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0)
  if (totalMinor === minor) return []
  return [{ line: null, given: { minor: totalMinor, currency }, calculated: { minor, currency } }]
}

/** A sum that is too low contains nothing that could be disputed. */
function excessOf({ given, calculated }: WrongSum): Money | null {
  const minor = given.minor - calculated.minor
  return minor > 0 ? { minor, currency: given.currency } : null
}
