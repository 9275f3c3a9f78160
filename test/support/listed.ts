/** Shipments with two containers each, written by SQL as the projection would write them, for tests of lists. */

import type { Pool } from '../../src/db/database.ts'

export interface ListedShipment {
  /** From 1. The ids and numbers are made from it. */
  readonly n: number
  readonly scac?: string
  readonly pol?: string
  readonly pod?: string
  readonly terminalId?: string
  readonly imo?: string
  /** `{kind, …}` as domain/values/time.ts has it. */
  readonly eta?: object | null
  readonly lfd?: object | null
  readonly holds?: readonly object[]
  readonly statuses?: readonly [string, string]
  readonly tags?: readonly string[]
  readonly refs?: readonly string[]
  readonly isStopped?: boolean
  /** The time zone of the port of discharge. */
  readonly timeZone?: string | null
}

export const shipmentIdOf = (salt: string, n: number): string => idOf(salt, '1', n)
export const containerIdOf = (salt: string, n: number, box: 1 | 2): string => idOf(salt, box === 1 ? 'a' : 'b', n)
export const numberOf = (n: number, box: 1 | 2): string => `MSCU${String(n * 10 + box).padStart(7, '0')}`

/** `salt`: four hexadecimal digits of the account. */
function idOf(salt: string, kind: string, n: number): string {
  return `${kind.repeat(8)}-${salt}-4000-8000-${n.toString(16).padStart(12, '0')}`
}

/** Each further shipment is created and refreshed one minute later. */
export async function insertListed(
  pool: Pool,
  accountId: string,
  salt: string,
  shipments: readonly ListedShipment[],
): Promise<void> {
  for (const each of shipments) {
    const { n, scac = 'ONEY', tags = [], refs = [], isStopped = false } = each
    const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
    const leg = (unlocode: string | undefined) => ({
      place: unlocode === undefined ? null : { unlocode, timeZone: each.timeZone ?? null },
      etd: null,
      atd: null,
      eta: null,
      ata: null,
    })
    const route = {
      portOfLoading: leg(each.pol),
      portOfDischarge: { ...leg(each.pod), eta: each.eta ?? null },
      destination: null,
      podVessel: each.imo === undefined ? null : { imo: each.imo, name: null },
      podVoyage: null,
    }
    await pool.query(
      `insert into shipments (account_id, id, scac, bill_of_lading_number, normalized_number, ref_numbers, tags, projection,
                              tracking_stopped_at, created_at, updated_at)
       values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $9)`,
      [
        accountId,
        shipmentIdOf(salt, n),
        scac,
        `BILL${String(n).padStart(6, '0')}`,
        refs,
        tags,
        JSON.stringify({
          billOfLadingNumber: null,
          bookingNumber: null,
          isBookingCancelled: false,
          ...route,
          originalEtd: null,
          originalEta: null,
          originalDestinationEta: null,
          announcedEta: null,
          containers: [],
          issues: [],
        }),
        isStopped ? at : null,
        at,
      ],
    )
    for (const box of [1, 2] as const) {
      const status = (each.statuses ?? ['on_ship', 'on_ship'])[box - 1]
      await pool.query(
        `insert into containers (account_id, id, shipment_id, number, trip, status, ref_numbers, projection, created_at,
                                 updated_at)
         values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $8)`,
        [
          accountId,
          containerIdOf(salt, n, box),
          shipmentIdOf(salt, n),
          numberOf(n, box),
          status,
          refs,
          JSON.stringify({
            number: numberOf(n, box),
            trip: 1,
            status,
            equipment: null,
            weightKg: null,
            sealNumber: null,
            freeTime: { line: each.lfd ?? null, terminal: null, rail: null },
            pickupAppointment: null,
            pickupTimeZone: each.timeZone ?? null,
            available: null,
            holds: each.holds ?? [],
            fees: [],
            yardLocation: null,
            chassisNumber: null,
            podTerminal: each.terminalId === undefined ? null : { terminalId: each.terminalId },
            pickupFacility: null,
            podRailCarrier: null,
            destinationRailCarrier: null,
            deliveredAt: null,
            milestones: [],
            ...route,
            pendingPodTerminal: null,
            saidBy: {},
            isTerminated: false,
          }),
          at,
        ],
      )
    }
  }
}
