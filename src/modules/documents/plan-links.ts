/**
 * Decides where a document belongs, from what its numbers fit and from the links of people. Pure. A bill or booking
 * names a shipment, a container number one use of a container, a reference everything that has it. Links that a person
 * made or removed stay so.
 */

import { addDays } from '../../domain/values/time.ts'
import type { DocumentLink, LinkFinder, ReferenceMatch } from './document-links-sql.ts'
import type { Candidate } from './documents-sql.ts'

export interface LinkPlan {
  /** What the numbers find. Without the links of people. */
  readonly found: readonly Omit<DocumentLink, 'id' | 'isDenied'>[]
  readonly candidates: readonly Candidate[]
}

/** From the surest to the least sure. */
const kinds = ['bill_of_lading', 'booking', 'container', 'reference'] as const

/** A container or a reference number comes back with other shipments, so only those of the document's time count. */
const daysBefore = 120
const daysAfter = 60

/** A reference of more shipments than this identifies none of them. */
const shipmentsMax = 20

export function planLinks(of: {
  readonly fits: readonly ReferenceMatch[]
  readonly personLinks: readonly DocumentLink[]
  /** When the document was written; if that is unknown, when it was sent. */
  readonly documentAt: string
}): LinkPlan {
  const { personLinks, documentAt } = of
  const fits = of.fits.filter((fit) => !isDenied(personLinks, fit) && isNearDocumentDate(fit, documentAt))
  const shipments = new Map<string, LinkFinder>(
    personLinks.flatMap(({ shipmentId, isDenied }) => (isDenied ? [] : [[shipmentId, 'person']])),
  )
  const linkedContainers = new Map<string, { readonly shipmentId: string; readonly foundBy: LinkFinder }>()
  const candidates: Candidate[] = []
  for (const kind of kinds)
    for (const [number, each] of Map.groupBy(matchesOfKind(fits, kind), (fit) => fit.number)) {
      const chosen = chooseReferenceMatches(each, shipments)
      for (const { shipmentId, containerId } of chosen) {
        if (!shipments.has(shipmentId)) shipments.set(shipmentId, kind)
        if (containerId !== null && !linkedContainers.has(containerId))
          linkedContainers.set(containerId, { shipmentId, foundBy: kind })
      }
      if (chosen.length === 0) candidates.push(...candidatesOf(number, each))
    }
  return {
    found: [
      ...[...shipments].map(([shipmentId, foundBy]) => ({ shipmentId, containerId: null, foundBy })),
      ...[...linkedContainers].map(([containerId, linkedContainer]) => ({ containerId, ...linkedContainer })),
    ],
    candidates: candidates.filter(({ shipmentId }) => !shipments.has(shipmentId)),
  }
}

function matchesOfKind(fits: readonly ReferenceMatch[], kind: ReferenceMatch['kind']): readonly ReferenceMatch[] {
  return fits.filter((fit) => fit.kind === kind)
}

/**
 * Those of a shipment that a person or a surer number has named; else the only one; else those that are still tracked. None: a
 * person decides.
 */
function chooseReferenceMatches(
  fits: readonly ReferenceMatch[],
  named: ReadonlyMap<string, unknown>,
): readonly ReferenceMatch[] {
  const known = fits.filter(({ shipmentId }) => named.has(shipmentId))
  if (known.length > 0) return lastTrips(known)
  if (countShipments(fits) === 1) return lastTrips(fits)
  const live = fits.filter(({ stoppedAt }) => stoppedAt === null)
  return countShipments(live) <= shipmentsMax ? lastTrips(live) : []
}

function countShipments(fits: readonly ReferenceMatch[]): number {
  return new Set(fits.map(({ shipmentId }) => shipmentId)).size
}

/** A shipment may have used a container twice. Then the later use counts. */
function lastTrips(fits: readonly ReferenceMatch[]): readonly ReferenceMatch[] {
  const last = new Map<string, number>()
  for (const { shipmentId, trip } of fits) last.set(shipmentId, Math.max(last.get(shipmentId) ?? 0, trip ?? 0))
  return fits.filter(({ shipmentId, trip }) => (trip ?? 0) === last.get(shipmentId) || trip === null)
}

function candidatesOf(number: string, fits: readonly ReferenceMatch[]): readonly Candidate[] {
  const ids = [...new Set(fits.map(({ shipmentId }) => shipmentId))].slice(0, shipmentsMax)
  return ids.map((shipmentId) => ({
    shipmentId,
    because: 'ambiguous',
    detail: `${number} fits several shipments.`,
  }))
}

function isNearDocumentDate({ kind, createdAt, stoppedAt }: ReferenceMatch, documentAt: string): boolean {
  if (kind === 'bill_of_lading' || kind === 'booking') return true
  const isTooOld = documentAt < addDays(createdAt, -daysBefore)
  return !isTooOld && (stoppedAt === null || documentAt <= addDays(stoppedAt, daysAfter))
}

/** A person removed the shipment, or this container of it. */
function isDenied(personLinks: readonly DocumentLink[], fit: ReferenceMatch): boolean {
  return personLinks.some(
    (link) =>
      link.isDenied &&
      link.shipmentId === fit.shipmentId &&
      (link.containerId === null || link.containerId === fit.containerId),
  )
}
