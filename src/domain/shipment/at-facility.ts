/**
 * Which containers concern a terminal or a railway, and from when on: containers that come to a place of that facility,
 * from shortly before the ship arrives until the container has gone out.
 */

import { addMs, instantOf } from '../values/time.ts'
import type { ContainerProjection, ContainerStatus } from '../view/projection.ts'

export interface FacilityPlace {
  readonly unlocode: string
  /** Null: every terminal of the place. */
  readonly terminalId: string | null
  /** The facility's own code of the place. */
  readonly code: string | null
}

export interface FacilityCoverage {
  readonly places: readonly FacilityPlace[]
  /** Only for a railway: the codes by which it is named as the carrier of a container. */
  readonly scacs: readonly string[]
}

export interface FacilityVisit {
  /** The facility's own code of the place at which it is polled about the container. */
  readonly facility: string | null
  /** ISO instant, or null while nobody has stated when the ship arrives. */
  readonly from: string | null
}

export type ContainerWithoutMilestones = Omit<ContainerProjection, 'milestones'>

/** The ship may be early, and terminals state much before it arrives: holds, releases, the last free day. */
const leadMs = 3 * 86_400_000

/** A laden container at the port, or on its way from it. */
const atTerminal: ReadonlySet<ContainerStatus> = new Set([
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
])
const onTheWay: ReadonlySet<ContainerStatus> = new Set(['new', 'loaded', 'on_ship'])

/** Null for a container that does not come to the facility, or that has left it. */
export function facilityVisitOf(
  sourceKind: 'terminal' | 'rail',
  coverage: FacilityCoverage,
  container: ContainerWithoutMilestones,
): FacilityVisit | null {
  if (container.isTerminated) return null
  const isOnRail = container.status === 'on_rail'
  if (!atTerminal.has(container.status) && !onTheWay.has(container.status) && !(isOnRail && sourceKind === 'rail'))
    return null
  const facility = sourceKind === 'terminal' ? terminalOf(coverage, container) : findRailRampCode(coverage, container)
  if (facility === undefined) return null
  const { ata, eta, place } = container.portOfDischarge
  const isThere = ata !== null || atTerminal.has(container.status) || isOnRail
  const zone = place?.timeZone ?? null
  // The actual arrival counts where it is known, because an estimate moves.
  const at = ata ?? eta
  const arrivesAt = at === null ? null : instantOf(at, zone).at
  if (isThere) return { facility, from: arrivesAt === null ? epoch : addMs(arrivesAt, -leadMs) }
  return { facility, from: arrivesAt === null ? null : addMs(arrivesAt, -leadMs) }
}

const epoch = '1970-01-01T00:00:00.000Z'

/** The code of the terminal where the container is to be discharged. Undefined when it is none of these places. */
function terminalOf({ places }: FacilityCoverage, container: ContainerWithoutMilestones): string | null | undefined {
  const unlocode = container.portOfDischarge.place?.unlocode ?? container.podTerminal?.unlocode ?? null
  const here = places.filter((place) => place.unlocode === unlocode)
  const terminalId = container.podTerminal?.terminalId ?? null
  const exact = terminalId === null ? undefined : here.find((place) => place.terminalId === terminalId)
  if (exact !== undefined) return exact.code
  const whole = here.filter((place) => place.terminalId === null)
  if (whole.length === 1) return whole[0]?.code
  // While nobody has named the terminal, the only one at the port is used. Of several, none is guessed.
  return terminalId === null && here.length === 1 ? here[0]?.code : undefined
}

/**
 * The railway that is named as the container's carrier concerns it. When none is named, the railway at the place to
 * which the container goes inland. While the container is on rail and only the railway from the port is named, another
 * may bring the container to its end, so the place counts as well.
 */
function findRailRampCode(
  { places, scacs }: FacilityCoverage,
  container: ContainerWithoutMilestones,
): string | null | undefined {
  const { podRailCarrier, destinationRailCarrier, pickupFacility, destination } = container
  const named = [podRailCarrier, destinationRailCarrier].filter((scac) => scac !== null)
  const ends = [destination?.place, pickupFacility].flatMap((place) => place?.unlocode ?? [])
  const ramp = places.find(({ unlocode }) => ends.includes(unlocode))
  if (named.some((scac) => scacs.includes(scac))) return ramp?.code ?? null
  const mayBeHandedOver = destinationRailCarrier === null && container.status === 'on_rail'
  if (named.length > 0 && !mayBeHandedOver) return undefined
  return destination !== null && ramp !== undefined ? ramp.code : undefined
}
