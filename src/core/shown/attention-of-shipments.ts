/** What about a shipment needs a person: an arrival that moved, another ship, and a line that is silent. */

import type { SourceKind } from '../statements/observation.ts'
import { addDays, compareInstants, msBetween } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import { type AttentionItem, makeItem, type SaidBy } from './attention-item.ts'
import { etaDays, laterByMs, quietDays, unreachedDays } from './attention-reasons.ts'

export const shipmentReasons = ['rolled', 'eta_moved', 'no_news'] as const
export type ShipmentReason = (typeof shipmentReasons)[number]

/** All times are instants. */
export interface AttentionShipment {
  readonly id: string
  readonly scac: string
  readonly bill: string
  readonly updatedAt: string
  /** UN/LOCODE of the port of discharge. */
  readonly port: string | null
  /** What was told of the arrival. Null when nobody has announced one. */
  readonly told: {
    /** As it was told when the time of comparison began, or else first. */
    readonly etaBefore: string | null
    readonly eta: string | null
    readonly at: string
    readonly source: SourceKind
    readonly claimId: string | null
    readonly firstImo: string | null
    readonly imo: string | null
    readonly firstVoyage: string | null
    readonly voyage: string | null
  } | null
  readonly shipName: string | null
  /** The sailing that was announced first, and the one that is known now. */
  readonly sailing: { readonly first: string | null; readonly now: string | null }
  /** When its line was last asked with success. Null when it is not asked at all. */
  readonly asked: { readonly lastAt: string } | null
}

/** Null when the reason does not hold. */
export function shipmentItem(
  reason: ShipmentReason,
  shipment: AttentionShipment,
  now: string,
): AttentionItem | null {
  switch (reason) {
    case 'eta_moved':
      return etaItem(shipment, now)
    case 'rolled':
      return rolledItem(shipment)
    case 'no_news':
      return silentItem(shipment, now)
    default:
      return unreachable(reason)
  }
}

function etaItem(shipment: AttentionShipment, now: string): AttentionItem | null {
  const { told, port } = shipment
  if (told === null || told.etaBefore === null || told.eta === null) return null
  if (compareInstants(told.at, addDays(now, -etaDays)) < 0) return null
  const laterMs = msBetween({ from: told.etaBefore, to: told.eta })
  if (laterMs < laterByMs) return null
  const days = Math.round(laterMs / laterByMs)
  return makeItem('eta_moved', shipment.id, {
    shipmentId: shipment.id,
    since: told.at,
    text: `The arrival of ${nameOf(shipment)}${port === null ? '' : ` at ${port}`} moved from ${day(told.etaBefore)} to ${day(told.eta)}, ${days} ${days === 1 ? 'day' : 'days'} later.`,
    before: told.etaBefore,
    after: told.eta,
    said: saidOf(shipment),
  })
}

function rolledItem(shipment: AttentionShipment): AttentionItem | null {
  const { told, sailing, shipName } = shipment
  const name = `Shipment ${shipment.bill} (${shipment.scac})`
  const item = { shipmentId: shipment.id, since: told?.at ?? shipment.updatedAt, said: saidOf(shipment) }
  if (told !== null && isOther(told.firstImo, told.imo)) {
    return makeItem('rolled', shipment.id, {
      ...item,
      text: `${name} now goes with ${shipName ?? 'the ship'} (IMO ${told.imo}); first told was the ship with IMO ${told.firstImo}.`,
      before: { vessel_imo: told.firstImo, voyage: told.firstVoyage },
      after: { vessel_imo: told.imo, voyage: told.voyage },
    })
  }
  if (told !== null && isOther(told.firstVoyage, told.voyage)) {
    return makeItem('rolled', shipment.id, {
      ...item,
      text: `${name} now goes with voyage ${told.voyage}; first told was voyage ${told.firstVoyage}.`,
      before: { vessel_imo: told.firstImo, voyage: told.firstVoyage },
      after: { vessel_imo: told.imo, voyage: told.voyage },
    })
  }
  const { first, now } = sailing
  if (first === null || now === null || msBetween({ from: first, to: now }) < laterByMs) return null
  return makeItem('rolled', shipment.id, {
    shipmentId: shipment.id,
    since: shipment.updatedAt,
    text: `${name} sails on ${day(now)}; first told was ${day(first)}.`,
    before: first,
    after: now,
    said: { kind: 'shipping_line', code: shipment.scac, claimId: null },
  })
}

function silentItem(shipment: AttentionShipment, now: string): AttentionItem | null {
  const { asked, updatedAt, scac } = shipment
  const isUnreached = asked !== null && compareInstants(addDays(asked.lastAt, unreachedDays), now) <= 0
  const isQuiet = compareInstants(addDays(updatedAt, quietDays), now) <= 0
  if (!isUnreached && !isQuiet) return null
  return makeItem('no_news', shipment.id, {
    shipmentId: shipment.id,
    since: isUnreached ? asked.lastAt : updatedAt,
    text: isUnreached
      ? `${scac} could not be asked about ${nameOf(shipment)} since ${day(asked.lastAt)}.`
      : `${scac} has told nothing new about ${nameOf(shipment)} since ${day(updatedAt)}.`,
  })
}

function saidOf({ told, scac }: AttentionShipment): SaidBy | null {
  if (told === null) return null
  const { source, claimId } = told
  return { kind: source, code: source === 'shipping_line' ? scac : null, claimId }
}

/** Both are known and differ. What merely became known is no change. */
function isOther(first: string | null, now: string | null): boolean {
  return first !== null && now !== null && first !== now
}

function nameOf({ scac, bill }: AttentionShipment): string {
  return `shipment ${bill} (${scac})`
}

function day(at: string): string {
  return at.slice(0, 10)
}
