/**
 * An invoice for demurrage or detention as its receiver sent it to us: the items that 46 CFR 541.6 requires, and its
 * lines.
 */

import { addDays } from '../values/time.ts'
import type { ChargeKind, Charger } from './terms.ts'

/** `vocc`: a line with ships. `nvocc`: a carrier without ships, who passes on an invoice that it received. */
export const invoiceIssuers = ['vocc', 'nvocc', 'terminal', 'other'] as const
export type InvoiceIssuer = (typeof invoiceIssuers)[number]
export const invoiceDirections = ['import', 'export'] as const

/** Null, false or an empty list: it is not in the invoice. */
export interface Invoice {
  /** The paper from which the rest was read; null for an invoice that somebody typed in. */
  readonly documentId: string | null
  readonly number: string | null
  readonly kind: ChargeKind
  readonly chargedBy: Charger
  readonly chargerCode: string | null
  readonly issuer: InvoiceIssuer
  readonly direction: (typeof invoiceDirections)[number]
  readonly bills: readonly string[]
  readonly portOfDischarge: string | null
  /** The text of the invoice on why it goes to this party. Only whether there is a text is checked. */
  readonly basis: string | null
  readonly invoicedOn: string | null
  readonly dueOn: string | null
  /** Day of the invoice that the issuer received itself; of an NVOCC. */
  readonly receivedInvoiceOn: string | null
  /** ISO 4217; of all amounts of the invoice. */
  readonly currency: string
  /** In minor units, as everywhere. */
  readonly totalMinor: number | null
  readonly rule: string | null
  readonly disputeContact: string | null
  readonly disputeUrl: string | null
  readonly disputeTimeframes: string | null
  readonly disputeUntil: string | null
  readonly isConsistencyCertified: boolean
  readonly isPerformanceCertified: boolean
  readonly lines: readonly InvoiceLine[]
}

export interface InvoiceLine {
  readonly container: string | null
  /** First and last charged day, both included. */
  readonly from: string | null
  readonly to: string | null
  readonly freeDays: number | null
  readonly freeFrom: string | null
  readonly freeTo: string | null
  readonly availableOn: string | null
  readonly earliestReturnOn: string | null
  /** For each day, in minor units. */
  readonly rateMinor: number | null
  readonly amountMinor: number | null
}

/** More days than any line of an invoice charges. */
export const lineDaysMax = 366

/** The charged days of a line; none where the invoice does not give both dates. */
export function daysOfLine({ from, to }: InvoiceLine): readonly string[] {
  if (from === null || to === null) return []
  const days: string[] = []
  for (let day = from; day <= to && days.length < lineDaysMax; day = addDays(day, 1)) days.push(day)
  return days
}

export function lastChargedDay({ lines }: Invoice): string | null {
  return lines.reduce<string | null>((last, { to }) => (to !== null && to > (last ?? '') ? to : last), null)
}
