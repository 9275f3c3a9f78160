/** What helps to find where a document belongs, besides numbers: when it was written, and for which companies. */

import { isObject } from '../../../core/values/json-value.ts'

type Payload = Readonly<Record<string, unknown>>

/** Names of dates of the document itself, as the schemas have them. */
const dates = ['issue_date', 'issued_on', 'document_date', 'notice_date', 'invoice_date', 'date'] as const
const parties = ['consignee', 'shipper', 'notify_party', 'buyer', 'importer'] as const

export interface SaidIn {
  /** Null when it has no date that is a day. */
  readonly writtenAt: string | null
  readonly companies: readonly string[]
}

export function saidIn(payload: Payload): SaidIn {
  const day = dates.map((name) => payload[name]).find((value) => isDay(value))
  const names = parties.map((name) => nameOf(payload[name])).filter((name) => name !== '')
  return {
    writtenAt: day === undefined ? null : `${String(day)}T12:00:00.000Z`,
    companies: [...new Set(names)],
  }
}

function isDay(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
  )
}

function nameOf(party: unknown): string {
  const name = isObject(party) ? party['name'] : party
  return typeof name === 'string' ? name.trim() : ''
}
