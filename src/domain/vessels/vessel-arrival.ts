/**
 * When a ship's position shows that it has arrived with a container: the ship that has the container on board does not
 * move, within the area of the port where the container is to be discharged. AIS adds an observation like any other,
 * never a decision.
 */

import { distanceNm, type GeoPoint } from '../geography/great-circle.ts'
import type { EventObservation, ObservedPlace } from '../statements/observation.ts'
import { instantOf } from '../values/time.ts'
import type { ContainerProjection, Milestone, MilestoneName } from '../view/projection.ts'

export interface VesselFix extends GeoPoint {
  readonly imo: string
  /** ISO instant. */
  readonly heardAt: string
  readonly speedKnots: number | null
}

/**
 * The area of a port, around the port's own point and around each of its terminals. A ship that does not move inside it
 * has arrived.
 */
export interface PortArea {
  readonly unlocode: string
  readonly port: GeoPoint | null
  readonly terminals: readonly GeoPoint[]
}

/** A ship under way is faster. A ship at a berth or at anchor swings more slowly. */
const stillKnotsMax = 1
/**
 * The points of UN/LOCODE are as often in the town as at a quay. With less, half of the great ports' berths are
 * outside.
 */
const portNm = 8
const terminalNm = 2.5

export function liesWithin(fix: VesselFix, area: PortArea): boolean {
  if (fix.speedKnots === null || fix.speedKnots >= stillKnotsMax) return false
  if (area.port !== null && distanceNm(fix, area.port) <= portNm) return true
  return area.terminals.some((terminal) => distanceNm(fix, terminal) <= terminalNm)
}

/** A container on board of the ship that brings it to its port of discharge. */
export interface Voyage {
  readonly imo: string
  readonly vesselName: string | null
  readonly voyage: string | null
  readonly place: ObservedPlace & { readonly unlocode: string }
  /** ISO instant: when the container was loaded or its ship left. */
  readonly since: string
}

const aboardMilestones: ReadonlySet<MilestoneName> = new Set<MilestoneName>([
  'vessel_loaded',
  'vessel_departed',
  'transshipment_loaded',
  'transshipment_departed',
])

/**
 * Null unless the last event of the container is that this ship loaded it, and nobody has stated yet that it arrived. A
 * ship that calls at the port of discharge before it fetched the container has not brought it.
 */
export function voyageToDischarge(container: ContainerProjection): Voyage | null {
  const { portOfDischarge, podVessel, podVoyage } = container
  const { place } = portOfDischarge
  if (place === null || place.unlocode === null || portOfDischarge.ata !== null) return null
  const last = container.milestones.findLast(({ kind }) => kind === 'actual')
  if (last === undefined || !aboardMilestones.has(last.name)) return null
  const imo = last.vessel?.imo ?? null
  if (imo === null || imo === '' || podVessel?.imo !== imo) return null
  return {
    imo,
    vesselName: podVessel.name ?? last.vessel?.name ?? null,
    voyage: podVoyage,
    place: { ...place, unlocode: place.unlocode },
    since: momentOf(last),
  }
}

/** The statement that the ship has arrived with this container. */
export function observeArrival(of: {
  readonly voyage: Voyage
  readonly fix: VesselFix
  readonly equipment: string
}): EventObservation {
  const { voyage, fix, equipment } = of
  const { unlocode, name, timeZone } = voyage.place
  return {
    kind: 'event',
    key: `arrival ${voyage.imo} ${unlocode} ${fix.heardAt}#${equipment}`,
    equipment,
    statedAt: fix.heardAt,
    isRetracted: false,
    classifier: 'ACT',
    code: 'ARRI',
    load: null,
    mode: 'VESSEL',
    time: { kind: 'instant', at: fix.heardAt },
    // A ship's position shows only the port. The terminal reports the berth.
    place: { unlocode, terminalId: null, facilityCode: null, facilityType: null, name, timeZone },
    vessel: { imo: voyage.imo, name: voyage.vesselName },
    voyage: voyage.voyage,
    callId: null,
    callSequence: null,
    original: `position ${fix.latitude.toFixed(4)} ${fix.longitude.toFixed(4)} at ${fix.speedKnots ?? '?'} knots`,
  }
}

function momentOf({ time, place }: Milestone): string {
  return instantOf(time, place.timeZone).at
}
