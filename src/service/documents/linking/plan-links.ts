/**
 * Decides where a document belongs, from what its numbers fit and from what people said. Pure. A bill or booking names
 * a shipment, a container number one use of a box, a reference whatever bears it. What a person linked or took back
 * stays so.
 */

import { addDays } from '../../../core/values/time.ts'
import type { DocumentLink, Fit, LinkFinder } from '../../../store/inbound/document-links.ts'
import type { Candidate } from '../../../store/inbound/documents.ts'

export interface Plan {
  /** What the numbers find. Without the links of people. */
  readonly found: readonly Omit<DocumentLink, 'id' | 'isDenied'>[]
  readonly candidates: readonly Candidate[]
}

/** From the surest to the least sure. */
const kinds = ['bill_of_lading', 'booking', 'container', 'reference'] as const

/** A box or a reference number comes back with other shipments, so only those of the document's time are meant. */
const daysBefore = 120
const daysAfter = 60

/** A reference that more shipments bear than this says nothing of one of them. */
const shipmentsMax = 20

export function planLinks(of: {
  readonly fits: readonly Fit[]
  readonly said: readonly DocumentLink[]
  /** When the document was written; if that is unknown, when it was sent. */
  readonly documentAt: string
}): Plan {
  const { said, documentAt } = of
  const fits = of.fits.filter((fit) => !isDenied(said, fit) && isOfItsTime(fit, documentAt))
  const shipments = new Map<string, LinkFinder>(
    said.flatMap(({ shipmentId, isDenied }) => (isDenied ? [] : [[shipmentId, 'person']])),
  )
  const boxes = new Map<string, { readonly shipmentId: string; readonly foundBy: LinkFinder }>()
  const candidates: Candidate[] = []
  for (const kind of kinds)
    for (const [number, each] of Map.groupBy(fitsOf(fits, kind), (fit) => fit.number)) {
      const chosen = choose(each, shipments)
      for (const { shipmentId, containerId } of chosen) {
        if (!shipments.has(shipmentId)) shipments.set(shipmentId, kind)
        if (containerId !== null && !boxes.has(containerId))
          boxes.set(containerId, { shipmentId, foundBy: kind })
      }
      if (chosen.length === 0) candidates.push(...candidatesOf(number, each))
    }
  return {
    found: [
      ...[...shipments].map(([shipmentId, foundBy]) => ({ shipmentId, containerId: null, foundBy })),
      ...[...boxes].map(([containerId, box]) => ({ containerId, ...box })),
    ],
    candidates: candidates.filter(({ shipmentId }) => !shipments.has(shipmentId)),
  }
}

function fitsOf(fits: readonly Fit[], kind: Fit['kind']): readonly Fit[] {
  return fits.filter((fit) => fit.kind === kind)
}

/**
 * Those of a shipment that a person or a surer number has named; else the only one; else those that are still tracked. None: a
 * person decides.
 */
function choose(fits: readonly Fit[], named: ReadonlyMap<string, unknown>): readonly Fit[] {
  const known = fits.filter(({ shipmentId }) => named.has(shipmentId))
  if (known.length > 0) return lastTrips(known)
  if (countShipments(fits) === 1) return lastTrips(fits)
  const live = fits.filter(({ stoppedAt }) => stoppedAt === null)
  return countShipments(live) <= shipmentsMax ? lastTrips(live) : []
}

function countShipments(fits: readonly Fit[]): number {
  return new Set(fits.map(({ shipmentId }) => shipmentId)).size
}

/** A shipment may have used a box twice. Then the later use is meant. */
function lastTrips(fits: readonly Fit[]): readonly Fit[] {
  const last = new Map<string, number>()
  for (const { shipmentId, trip } of fits)
    last.set(shipmentId, Math.max(last.get(shipmentId) ?? 0, trip ?? 0))
  return fits.filter(({ shipmentId, trip }) => (trip ?? 0) === last.get(shipmentId) || trip === null)
}

function candidatesOf(number: string, fits: readonly Fit[]): readonly Candidate[] {
  const ids = [...new Set(fits.map(({ shipmentId }) => shipmentId))].slice(0, shipmentsMax)
  return ids.map((shipmentId) => ({
    shipmentId,
    because: 'ambiguous',
    detail: `${number} fits several shipments.`,
  }))
}

function isOfItsTime({ kind, createdAt, stoppedAt }: Fit, documentAt: string): boolean {
  if (kind === 'bill_of_lading' || kind === 'booking') return true
  const isTooOld = documentAt < addDays(createdAt, -daysBefore)
  return !isTooOld && (stoppedAt === null || documentAt <= addDays(stoppedAt, daysAfter))
}

/** A person took back the shipment, or this box of it. */
function isDenied(said: readonly DocumentLink[], fit: Fit): boolean {
  return said.some(
    (link) =>
      link.isDenied &&
      link.shipmentId === fit.shipmentId &&
      (link.containerId === null || link.containerId === fit.containerId),
  )
}
