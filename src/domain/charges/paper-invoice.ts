/** What was read of the paper of an invoice, as the rows of a table: the same reader checks both. */

import { addDays } from '../values/time.ts'
import { kindOfWords } from './charge-words.ts'
import type { Row } from './read-cells.ts'

export interface PaperRows {
  readonly whole: Row
  readonly lines: readonly Row[]
}

/**
 * `payload`: the values that were read from a demurrage invoice. Values that are missing or not valid for their field
 * are left out. `titles`: of the paper and of its file, the first that names a charge. Papers show who charges by their
 * look only, so it is the one who usually does.
 */
export function rowsOfPaper(payload: Readonly<Record<string, unknown>>, titles: readonly string[]): PaperRows {
  const { port_of_discharge: port, charges, containers } = payload
  const bills = [payload['bill_of_lading_number'], payload['house_bill_number']].flatMap((each) => {
    const bill = textOf(each).replace(/\s/g, '').toUpperCase()
    return /^[A-Z0-9./-]{4,40}$/.test(bill) ? [bill] : []
  })
  const numbers = listOf(containers).map(({ number }) => textOf(number))
  const [only, ...others] = numbers
  const kind = [...titles, textOf(payload['charge_basis'])].flatMap((each) => kindOfWords(each) ?? [])[0]
  const lines = listOf(charges)
  const free = {
    free_days: textOf(payload['free_days']),
    free_from: dayOf(payload['free_time_start']),
    free_to: dayOf(payload['free_time_end']),
    available_on: dayOf(payload['available_from']),
  }
  return {
    whole: {
      number: textOf(payload['invoice_number']).slice(0, 100),
      bills: bills.join(' '),
      port_of_discharge: textOf((port as { readonly unlocode?: unknown } | undefined)?.unlocode),
      invoiced_on: dayOf(payload['invoice_date']),
      due_on: dayOf(payload['due_date']),
      currency: textOf(payload['currency']),
      total: textOf(payload['total_amount']),
      rule: textOf(payload['charge_basis']),
      dispute_contact: textOf(payload['dispute_contact']),
      ...(kind === undefined ? {} : { kind, charged_by: kind === 'storage' ? 'terminal' : 'line' }),
    },
    // Without lines the paper is still about its containers.
    lines:
      lines.length === 0
        ? numbers.map((container) => ({ container, ...free }))
        : lines.map((charge) => ({
            // A line without a number is about the only container of the paper.
            container: textOf(charge['container_number']) || (others.length === 0 ? (only ?? '') : ''),
            from: dayOf(charge['from']),
            to: dayOf(charge['to']) || lastDayOf(charge),
            rate: textOf(charge['rate']),
            amount: textOf(charge['amount']),
            ...free,
          })),
  }
}

/** Where the paper gives the first day and the number of days. */
function lastDayOf({ from, days }: Readonly<Record<string, unknown>>): string {
  return dayOf(from) === '' || typeof days !== 'number' || days < 1 ? '' : addDays(dayOf(from), days - 1)
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as readonly Readonly<Record<string, unknown>>[]) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The printed day, with or without a time after it. */
function dayOf(value: unknown): string {
  return textOf(value).slice(0, 10)
}
