/**
 * Which boxes concern a terminal or a railway, and from when on: boxes that come to a place of that facility, from
 * shortly before the ship arrives until the box has gone out.
 */

import type { ContainerProjection, ContainerStatus } from '../shown/projection.ts'
import { addMs, instantOf } from '../values/time.ts'

export interface StandingPlace {
  readonly unlocode: string
  /** Null: every terminal of the place. */
  readonly terminalId: string | null
  /** The facility's own code of the place. */
  readonly code: string | null
}

export interface Stands {
  readonly places: readonly StandingPlace[]
  /** Only for a railway: the codes by which it is named as the carrier of a box. */
  readonly scacs: readonly string[]
}

export interface Concern {
  /** The facility's own code of the place where it is asked about the box. */
  readonly facility: string | null
  /** ISO instant, or null while nobody has said when the ship arrives. */
  readonly from: string | null
}

export type Whereabouts = Omit<ContainerProjection, 'milestones'>

/** The ship may be early, and much is said before it arrives: holds, releases, the last free day. */
const leadMs = 3 * 86_400_000

/** A laden box at the port, or on its way from it. */
const atTerminal: ReadonlySet<ContainerStatus> = new Set([
  'grounded',
  'available',
  'not_available',
  'awaiting_inland_transfer',
])
const onTheWay: ReadonlySet<ContainerStatus> = new Set(['new', 'loaded', 'on_ship'])

/** Null for a box that does not come to the facility, or that has left it. */
export function concernOf(speaker: 'terminal' | 'rail', stands: Stands, box: Whereabouts): Concern | null {
  if (box.isTerminated) return null
  const isOnRail = box.status === 'on_rail'
  if (!atTerminal.has(box.status) && !onTheWay.has(box.status) && !(isOnRail && speaker === 'rail'))
    return null
  const facility = speaker === 'terminal' ? terminalOf(stands, box) : railOf(stands, box)
  if (facility === undefined) return null
  const { ata, eta, place } = box.portOfDischarge
  const isThere = ata !== null || atTerminal.has(box.status) || isOnRail
  const zone = place?.timeZone ?? null
  // The actual arrival counts where it is known, because an estimate moves.
  const at = ata ?? eta
  const arrivesAt = at === null ? null : instantOf(at, zone).at
  if (isThere) return { facility, from: arrivesAt === null ? epoch : addMs(arrivesAt, -leadMs) }
  return { facility, from: arrivesAt === null ? null : addMs(arrivesAt, -leadMs) }
}

const epoch = '1970-01-01T00:00:00.000Z'

/** The code of the terminal where the box is to be discharged. Undefined when it is none of these places. */
function terminalOf({ places }: Stands, box: Whereabouts): string | null | undefined {
  const unlocode = box.portOfDischarge.place?.unlocode ?? box.podTerminal?.unlocode ?? null
  const here = places.filter((place) => place.unlocode === unlocode)
  const terminalId = box.podTerminal?.terminalId ?? null
  const exact = terminalId === null ? undefined : here.find((place) => place.terminalId === terminalId)
  if (exact !== undefined) return exact.code
  const whole = here.filter((place) => place.terminalId === null)
  if (whole.length === 1) return whole[0]?.code
  // While nobody has named the terminal, the only one at the port is taken. Of several, none is guessed.
  return terminalId === null && here.length === 1 ? here[0]?.code : undefined
}

/**
 * The railway that is named as the box's carrier concerns it. When none is named, the railway at the place to which the
 * box goes inland. While the box is on rail and only the railway from the port is named, another may bring the box to
 * its end, so the place counts as well.
 */
function railOf({ places, scacs }: Stands, box: Whereabouts): string | null | undefined {
  const { podRailCarrier, destinationRailCarrier, pickupFacility, destination } = box
  const named = [podRailCarrier, destinationRailCarrier].filter((scac) => scac !== null)
  const ends = [destination?.place, pickupFacility].flatMap((place) => place?.unlocode ?? [])
  const ramp = places.find(({ unlocode }) => ends.includes(unlocode))
  if (named.some((scac) => scacs.includes(scac))) return ramp?.code ?? null
  const mayBeHandedOver = destinationRailCarrier === null && box.status === 'on_rail'
  if (named.length > 0 && !mayBeHandedOver) return undefined
  return destination !== null && ramp !== undefined ? ramp.code : undefined
}
