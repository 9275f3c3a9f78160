/** What helps to find where a document belongs, besides numbers: when it was written, and for which companies. */

type Payload = Readonly<Record<string, unknown>>

/** Names of the schemas. */
const dates = ['issue_date', 'invoice_date'] as const
const parties = ['consignee_name', 'shipper_name', 'notify_party_name', 'billed_party_name'] as const

export interface DateAndParties {
  /** Null when it is not stated. */
  readonly writtenAt: string | null
  readonly companies: readonly string[]
}

export function readDateAndParties(payload: Payload): DateAndParties {
  const [day] = dates.flatMap((name) => dayOf(payload[name]) ?? [])
  const names = parties.flatMap((name) => textOf(payload[name]) ?? [])
  return { writtenAt: day === undefined ? null : `${day}T12:00:00.000Z`, companies: [...new Set(names)] }
}

/** The day of a day, local time or instant; null when the value is none of these. */
function dayOf(value: unknown): string | null {
  const day = textOf(value)?.slice(0, 10) ?? ''
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
  return isDay ? day : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
