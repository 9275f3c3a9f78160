/** What an invoice must contain and when it must come (46 CFR 541.6 to 541.8), each with its clause. */

import { addDays } from '../values/time.ts'
import { type Invoice, type InvoiceLine, lastChargedDay } from './invoice.ts'

export interface MissingItem {
  readonly clause: string
  readonly item: string
  /** Numbers of the lines that lack it, from 1; empty for an item of the whole invoice. */
  readonly lines: readonly number[]
  /** False: it was not read of the paper, and may be printed there. */
  readonly isCertain: boolean
}

interface RequiredInvoiceItem {
  readonly clause: string
  readonly item: string
  readonly of?: Invoice['direction']
  readonly isStated: (invoice: Invoice) => boolean
}
interface LineItem extends Omit<RequiredInvoiceItem, 'isStated'> {
  readonly isStatedIn: (line: InvoiceLine) => boolean
}

const items: readonly (RequiredInvoiceItem | LineItem)[] = [
  { clause: '541.6(a)(1)', item: 'bill_of_lading_numbers', isStated: ({ bills }) => bills.length > 0 },
  { clause: '541.6(a)(2)', item: 'container_number', isStatedIn: (line) => line.container !== null },
  {
    clause: '541.6(a)(3)',
    item: 'port_of_discharge',
    of: 'import',
    isStated: (invoice) => invoice.portOfDischarge !== null,
  },
  { clause: '541.6(a)(4)', item: 'basis', isStated: ({ basis }) => basis !== null },
  { clause: '541.6(b)(1)', item: 'invoiced_on', isStated: ({ invoicedOn }) => invoicedOn !== null },
  { clause: '541.6(b)(2)', item: 'due_on', isStated: ({ dueOn }) => dueOn !== null },
  { clause: '541.6(b)(3)', item: 'free_days', isStatedIn: ({ freeDays }) => freeDays !== null },
  { clause: '541.6(b)(4)', item: 'free_from', isStatedIn: ({ freeFrom }) => freeFrom !== null },
  { clause: '541.6(b)(5)', item: 'free_to', isStatedIn: ({ freeTo }) => freeTo !== null },
  {
    clause: '541.6(b)(6)',
    item: 'available_on',
    of: 'import',
    isStatedIn: ({ availableOn }) => availableOn !== null,
  },
  {
    clause: '541.6(b)(7)',
    item: 'earliest_return_on',
    of: 'export',
    isStatedIn: (line) => line.earliestReturnOn !== null,
  },
  { clause: '541.6(b)(8)', item: 'from and to', isStatedIn: ({ from, to }) => from !== null && to !== null },
  { clause: '541.6(c)(1)', item: 'total_minor', isStated: ({ totalMinor }) => totalMinor !== null },
  { clause: '541.6(c)(2)', item: 'rule', isStated: ({ rule }) => rule !== null },
  { clause: '541.6(c)(3)', item: 'rate_minor', isStatedIn: ({ rateMinor }) => rateMinor !== null },
  { clause: '541.6(d)(1)', item: 'dispute_contact', isStated: (invoice) => invoice.disputeContact !== null },
  { clause: '541.6(d)(2)', item: 'dispute_url', isStated: ({ disputeUrl }) => disputeUrl !== null },
  {
    clause: '541.6(d)(3)',
    item: 'dispute_timeframes',
    isStated: ({ disputeTimeframes, disputeUntil }) => disputeTimeframes !== null || disputeUntil !== null,
  },
  {
    clause: '541.6(e)(1)',
    item: 'consistency_certified',
    isStated: (invoice) => invoice.isConsistencyCertified,
  },
  {
    clause: '541.6(e)(2)',
    item: 'performance_certified',
    isStated: (invoice) => invoice.isPerformanceCertified,
  },
]

export function missingItems(invoice: Invoice): readonly MissingItem[] {
  const isCertain = invoice.documentId === null
  return items.flatMap((each): readonly MissingItem[] => {
    const { clause, item, of } = each
    if (of !== undefined && of !== invoice.direction) return []
    if ('isStated' in each) return each.isStated(invoice) ? [] : [{ clause, item, lines: [], isCertain }]
    const lines = invoice.lines.flatMap((line, index) => (each.isStatedIn(line) ? [] : [index + 1]))
    return lines.length === 0 ? [] : [{ clause, item, lines, isCertain }]
  })
}

export const dateChecks = ['issued_in_time', 'dispute_window'] as const
export const dateOutcomes = ['met', 'not_met', 'unknown'] as const

export interface DateCheck {
  readonly check: (typeof dateChecks)[number]
  readonly clause: string
  readonly outcome: (typeof dateOutcomes)[number]
  /** The last day for the invoice, or the first on which the window may end; null when it is unknown. */
  readonly limit: string | null
  readonly given: string | null
}

const daysAllowed = 30

/** The window ends on the thirtieth day after the invoice at the earliest. Without a date nothing is found wrong. */
export function dateChecksOf(invoice: Invoice): readonly DateCheck[] {
  const { issuer, invoicedOn, receivedInvoiceOn, disputeUntil } = invoice
  const from = issuer === 'nvocc' ? receivedInvoiceOn : lastChargedDay(invoice)
  const issueLimit = from && addDays(from, daysAllowed)
  const windowLimit = invoicedOn && addDays(invoicedOn, daysAllowed)
  const issuedClause = issuer === 'nvocc' ? '541.7(b)' : '541.7(a)'
  return [
    {
      check: 'issued_in_time',
      clause: issuedClause,
      outcome: checkDateOrder(invoicedOn, issueLimit),
      limit: issueLimit,
      given: invoicedOn,
    },
    {
      check: 'dispute_window',
      clause: '541.8(a)',
      outcome: checkDateOrder(windowLimit, disputeUntil),
      limit: windowLimit,
      given: disputeUntil,
    },
  ]
}

function checkDateOrder(earlier: string | null, later: string | null): DateCheck['outcome'] {
  if (earlier === null || later === null) return 'unknown'
  return earlier <= later ? 'met' : 'not_met'
}
