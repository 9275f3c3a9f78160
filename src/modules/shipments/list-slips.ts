/**
 * By how many hours the arrival at the port of discharge is, or was, later than expected: by the first plan of any
 * ship, by the first estimate, and by what was published a day ago. Negative: earlier. Null where a time is not known.
 */

import { addMs, type EventTime, instantOf, msBetween } from '../../domain/values/time.ts'
import type { Context } from '../access/context.ts'
import type { Service } from '../service.ts'
import { readSlipBases } from './list-etas-sql.ts'
import type { ShipmentReading } from './list-shipments-sql.ts'

export interface Slips {
  readonly sincePlan: number | null
  readonly sinceFirstEstimate: number | null
  /** Null too when the ship has arrived. */
  readonly sinceYesterday: number | null
}

const hourMs = 3_600_000

/** By the id of the shipment. */
export async function listSlips(
  { pool }: Service,
  { account }: Context,
  { shipments, now }: { readonly shipments: readonly ShipmentReading[]; readonly now: string },
): Promise<ReadonlyMap<string, Slips>> {
  const ids = shipments.map(({ id }) => id)
  const bases = await readSlipBases(pool, { accountId: account.id, ids, dayAgo: addMs(now, -24 * hourMs) })
  return new Map(
    shipments.map(({ id, projection: { portOfDischarge, originalEta } }) => {
      const arrival = portOfDischarge.ata ?? portOfDischarge.eta
      const since = (basis: EventTime | null | undefined): number | null =>
        hoursBetween(basis, arrival, portOfDischarge.place?.timeZone ?? null)
      const { plan, yesterday } = bases.get(id) ?? {}
      const published: EventTime | null = yesterday == null ? null : { kind: 'instant', at: yesterday }
      return [
        id,
        {
          sincePlan: since(plan),
          sinceFirstEstimate: since(originalEta),
          sinceYesterday: portOfDischarge.ata === null ? since(published) : null,
        },
      ]
    }),
  )
}

export function hoursBetween(
  from: EventTime | null | undefined,
  to: EventTime | null | undefined,
  zone: string | null,
): number | null {
  if (from == null || to == null) return null
  return Math.round(msBetween({ from: instantOf(from, zone).at, to: instantOf(to, zone).at }) / hourMs)
}
