/** What about a shipment needs a person: an arrival that moved, another ship, and a line that is silent. */

import type { SourceKind } from '../statements/observation.ts'
import { addDays, compareInstants, msBetween } from '../values/time.ts'
import { unreachable } from '../values/unreachable.ts'
import { type AttentionItem, makeAttentionItem, type StatementSource } from './attention-item.ts'
import { etaDays, laterByMs, quietDays, unreachedDays } from './attention-reasons.ts'
import { nameDay } from './day-count.ts'

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
  /** The published arrival. Null when none was published. */
  readonly published: {
    /** As it was published when the time of comparison began, or else first. */
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
  /** The sailing that was published first, and the current one. */
  readonly sailing: { readonly first: string | null; readonly now: string | null }
  /** When its line was last polled with success. Null when it is not polled at all. */
  readonly polled: { readonly lastAt: string } | null
}

/** Null when the reason does not hold. */
export function shipmentItem(reason: ShipmentReason, shipment: AttentionShipment, now: string): AttentionItem | null {
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
  const { published, port } = shipment
  if (published === null || published.etaBefore === null || published.eta === null) return null
  if (compareInstants(published.at, addDays(now, -etaDays)) < 0) return null
  const laterMs = msBetween({ from: published.etaBefore, to: published.eta })
  if (laterMs < laterByMs) return null
  const days = Math.round(laterMs / laterByMs)
  return makeAttentionItem('eta_moved', shipment.id, {
    shipmentId: shipment.id,
    since: published.at,
    text: `The arrival of ${nameOf(shipment)}${port === null ? '' : ` at ${port}`} moved from ${dayOf(published.etaBefore)} to ${dayOf(published.eta)}, ${days} ${days === 1 ? 'day' : 'days'} later.`,
    short: `Arrival ${days} ${days === 1 ? 'day' : 'days'} later`,
    foreign: [shipment.bill],
    basis: dayOf(published.eta),
    before: published.etaBefore,
    after: published.eta,
    said: sourceOf(shipment),
  })
}

function rolledItem(shipment: AttentionShipment): AttentionItem | null {
  const { published, sailing, shipName } = shipment
  const name = `Shipment ${shipment.bill} (${shipment.scac})`
  const item = {
    shipmentId: shipment.id,
    since: published?.at ?? shipment.updatedAt,
    said: sourceOf(shipment),
    foreign: [shipment.bill, shipName, published?.voyage, published?.firstVoyage].filter(
      (each) => typeof each === 'string',
    ),
  }
  if (published !== null && isOther(published.firstImo, published.imo)) {
    return makeAttentionItem('rolled', shipment.id, {
      ...item,
      text: `${name} now goes with ${shipName ?? 'the ship'} (IMO ${published.imo}); the first reported ship has IMO ${published.firstImo}.`,
      short: `Rolled to ${shipName ?? 'another ship'}`,
      before: { vessel_imo: published.firstImo, voyage: published.firstVoyage },
      after: { vessel_imo: published.imo, voyage: published.voyage },
    })
  }
  if (published !== null && isOther(published.firstVoyage, published.voyage)) {
    return makeAttentionItem('rolled', shipment.id, {
      ...item,
      text: `${name} now goes with voyage ${published.voyage}; the first reported voyage is ${published.firstVoyage}.`,
      short: `Rolled to voyage ${published.voyage}`,
      before: { vessel_imo: published.firstImo, voyage: published.firstVoyage },
      after: { vessel_imo: published.imo, voyage: published.voyage },
    })
  }
  const { first, now } = sailing
  if (first === null || now === null || msBetween({ from: first, to: now }) < laterByMs) return null
  const days = Math.round(msBetween({ from: first, to: now }) / laterByMs)
  return makeAttentionItem('rolled', shipment.id, {
    shipmentId: shipment.id,
    since: shipment.updatedAt,
    foreign: [shipment.bill],
    text: `${name} sails on ${dayOf(now)}; the first reported day was ${dayOf(first)}.`,
    short: `Sails ${days} ${days === 1 ? 'day' : 'days'} later`,
    basis: dayOf(now),
    before: first,
    after: now,
    said: { kind: 'shipping_line', code: shipment.scac, claimId: null },
  })
}

function silentItem(shipment: AttentionShipment, now: string): AttentionItem | null {
  const { polled, updatedAt, scac } = shipment
  const isUnreached = polled !== null && compareInstants(addDays(polled.lastAt, unreachedDays), now) <= 0
  const isQuiet = compareInstants(addDays(updatedAt, quietDays), now) <= 0
  if (!isUnreached && !isQuiet) return null
  const since = isUnreached ? polled.lastAt : updatedAt
  return makeAttentionItem('no_news', shipment.id, {
    shipmentId: shipment.id,
    since,
    foreign: [shipment.bill],
    short: `${isUnreached ? 'Not reached' : 'No news'} since ${nameDay(since, now)}`,
    text: isUnreached
      ? `${scac} could not be polled about ${nameOf(shipment)} since ${dayOf(polled.lastAt)}.`
      : `${scac} has reported nothing new about ${nameOf(shipment)} since ${dayOf(updatedAt)}.`,
  })
}

function sourceOf({ published, scac }: AttentionShipment): StatementSource | null {
  if (published === null) return null
  const { source, claimId } = published
  return { kind: source, code: source === 'shipping_line' ? scac : null, claimId }
}

/** Both are known and differ. What merely became known is no change. */
function isOther(first: string | null, now: string | null): boolean {
  return first !== null && now !== null && first !== now
}

function nameOf({ scac, bill }: AttentionShipment): string {
  return `shipment ${bill} (${scac})`
}

function dayOf(at: string): string {
  return at.slice(0, 10)
}
