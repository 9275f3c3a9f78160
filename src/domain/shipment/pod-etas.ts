/**
 * The last predicted arrival at the port of discharge before the ship came. It stays beside the actual arrival although
 * no active claim predicts it any more.
 */

import { placeKeyOf, type Statement } from '../statements/statement.ts'
import type {
  ContainerProjection,
  Leg,
  Milestone,
  MilestoneName,
  ShipmentProjection,
  StatedEta,
} from '../view/projection.ts'

/**
 * `statement`: that of an active claim that predicts the arrival at the port. Without one, the earlier prediction stays
 * when the container has arrived. When the container has not arrived, the prediction was withdrawn.
 */
export function lastPodEta(
  statement: Statement | null,
  { place }: Leg,
  { before, hasArrived }: { readonly before: StatedEta | null; readonly hasArrived: boolean },
): StatedEta | null {
  if (place === null) return null
  const placeKey = placeKeyOf(place)
  if (statement !== null) return { time: statement.event.time, placeKey, claimId: statement.claim.id }
  return hasArrived && before?.placeKey === placeKey ? before : null
}

const arrivals: ReadonlySet<MilestoneName> = new Set([
  'vessel_arrived',
  'vessel_berthed',
  'vessel_discharged',
  'full_out',
  'empty_in',
])

export function hasArrived(leg: Leg, milestones: readonly Milestone[]): boolean {
  return leg.ata !== null || milestones.some(({ kind, name }) => kind === 'actual' && arrivals.has(name))
}

/** The last predicted arrival in the projection before. */
export function podEtaBefore(
  previous: Pick<ContainerProjection | ShipmentProjection, 'podEta' | 'portOfDischarge'> | null,
): StatedEta | null {
  if (previous === null || previous.podEta !== undefined) return previous?.podEta ?? null
  // This projection was stored before `podEta` existed, so the claim is not known any more.
  const { place, eta } = previous.portOfDischarge
  return place === null || eta === null ? null : { time: eta, placeKey: placeKeyOf(place), claimId: null }
}
