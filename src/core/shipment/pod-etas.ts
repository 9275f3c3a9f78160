/**
 * Predicted arrivals at the port of discharge: the last one before the ship came, which stays beside the actual arrival
 * although no live claim says it any more, and the first one ever made for each port.
 */

import type {
  ContainerProjection,
  Leg,
  Milestone,
  MilestoneName,
  SaidEta,
  ShipmentProjection,
} from '../shown/projection.ts'
import { placeKeyOf, type Statement } from '../statements/statement.ts'
import type { EventTime } from '../values/time.ts'

/**
 * `told`: a standing claim predicts the arrival at the port. Without one, the earlier prediction stays when the
 * container has arrived. When the container has not arrived, the prediction was taken back.
 */
export function lastPodEta(
  told: Statement | null,
  { place }: Leg,
  { before, hasArrived }: { readonly before: SaidEta | null; readonly hasArrived: boolean },
): SaidEta | null {
  if (place === null) return null
  const placeKey = placeKeyOf(place)
  if (told !== null) return { time: told.event.time, placeKey, claimId: told.claim.id }
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
): SaidEta | null {
  if (previous === null || previous.podEta !== undefined) return previous?.podEta ?? null
  // This projection was stored before `podEta` was, so the claim is not known any more.
  const { place, eta } = previous.portOfDischarge
  return place === null || eta === null ? null : { time: eta, placeKey: placeKeyOf(place), claimId: null }
}

type FirstEtas = Readonly<Record<string, EventTime>>

/** `awaited`: the arrival that is expected now. */
export function firstPodEtas(awaited: Milestone | null, previous: ShipmentProjection | null): FirstEtas {
  const before = firstEtasBefore(previous)
  if (awaited === null) return before
  return { [placeKeyOf(awaited.place)]: awaited.time, ...before }
}

function firstEtasBefore(previous: ShipmentProjection | null): FirstEtas {
  if (previous === null || previous.firstPodEtas !== undefined) return previous?.firstPodEtas ?? {}
  const { place } = previous.portOfDischarge
  return place === null || previous.originalEta === null ? {} : { [placeKeyOf(place)]: previous.originalEta }
}

/** The first predicted arrival for the port of discharge as it is now; null when none was ever predicted. */
export function firstPodEta(etas: FirstEtas, { place }: Leg): EventTime | null {
  return place === null ? null : (etas[placeKeyOf(place)] ?? null)
}
