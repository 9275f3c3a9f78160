/** What is true of the tracked shipments, and what each source had said of them. Null is what nobody has said. */

import { HOUR } from '../../sandbox/local-time.ts'
import type { Call } from '../../sandbox/shipment.ts'
import type { Json } from './agents-client.ts'

/** A time as its source gave it: local at the place to the minute, or only a day. */
export interface Moment {
  readonly at: number
  readonly says: string
}

/** A happening that a source has told. `what`: such as `DISC LADEN`. */
export interface Told extends Moment {
  readonly what: string
  readonly call: Pick<Call, 'place' | 'mode'>
  /** When it was told. */
  readonly toldAt: number
}

export interface TrueBox {
  readonly number: string
  readonly ship: TrueShipment
  readonly told: readonly Told[]
  readonly status: string
  /** The newest report of the terminal or ramp where it waits; null before it came there. */
  readonly report: Json | null
  readonly lastFreeDays: {
    readonly line: string | null
    readonly terminal: string | null
    readonly rail: string | null
  }
  /** The earliest of these that counts. */
  readonly freeUntil: string | null
  /** What is to be paid there, such as `250 USD`; null where nobody has reported. */
  readonly fees: readonly string[] | null
  readonly holds: readonly string[] | null
  readonly isAvailable: boolean | null
}

export interface TrueShipment {
  readonly scac: string
  /** The number by which the account tracks it. */
  readonly asked: string
  readonly bill: string | null
  readonly isBooking: boolean
  readonly isByBox: boolean
  /** The number of its bill, whether or not somebody has told it. */
  readonly paper: string
  readonly refs: readonly string[]
  readonly tags: readonly string[]
  readonly pol: string
  /** Null as long as nobody has named it. */
  readonly pod: string | null
  /** Where a train takes it from its port, as far as somebody has said so. */
  readonly inland: string | null
  readonly plan: Moment | null
  /** The first arrival that was told, as a plan or an estimate. */
  readonly first: Moment | null
  readonly eta: Moment | null
  readonly etaToldAt: number | null
  /** The estimate before. */
  readonly etaBefore: Moment | null
  readonly ata: Moment | null
  readonly vessel: string | null
  readonly isRolled: boolean
  readonly status: string
  readonly boxes: readonly TrueBox[]
  readonly zone: string
}

export interface Question {
  readonly scac: string
  readonly request_type: string
  readonly request_number: string
  readonly ref_numbers: readonly string[]
  readonly shipment_tags: readonly string[]
}

/** Whole hours from one to the other; null where one is not known. */
export function hoursFrom(from: Moment | null, to: Moment | null): number | null {
  return from === null || to === null ? null : Math.round((to.at - from.at) / HOUR)
}

export function statusOfBox(
  told: readonly Told[],
  {
    port,
    goesOn,
    isAvailable,
  }: { readonly port: string; readonly goesOn: boolean; readonly isAvailable: boolean | null },
): string {
  const last = told.at(-1)
  if (last === undefined || last.what === 'GTOT EMPTY' || last.what === 'GTIN LADEN') return 'new'
  if (last.what === 'GTOT LADEN') return 'picked_up'
  if (last.what === 'GTIN EMPTY') return 'empty_returned'
  const isOnQuay = last.what === 'DISC LADEN' && (last.call.place === port || last.call.mode === 'RAIL')
  if (!isOnQuay) return last.call.mode === 'RAIL' ? 'on_rail' : 'on_ship'
  if (last.call.mode !== 'RAIL' && goesOn) return 'awaiting_inland_transfer'
  return isAvailable === null ? 'grounded' : isAvailable ? 'available' : 'not_available'
}

/** The box that is furthest behind decides, and the ship where nothing is told of boxes. */
export function statusOfShipment({ boxes, ata }: TrueShipment, hasDeparted: boolean): string {
  const stages = ['pending', 'in_transit', 'arrived', 'picked_up', 'completed']
  const byRoute = ata !== null ? 2 : hasDeparted ? 1 : 0
  const byBoxes = boxes.map(({ status }) =>
    status === 'new' ? 0 : status === 'on_ship' ? 1 : status === 'picked_up' ? 3 : status === 'empty_returned' ? 4 : 2,
  )
  return stages[Math.max(byRoute, boxes.length === 0 ? 0 : Math.min(...byBoxes))] ?? 'pending'
}
