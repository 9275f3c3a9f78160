/**
 * The contract's `current_status` of a container: the last step that shows where it is, and the facts that are known
 * there.
 */

import type { ContainerStatus } from '../view/projection.ts'
import type { Step } from './milestones.ts'

/** Where the container is after a step. `on_quay` becomes a more exact status by what is known about that place. */
type Whereabouts = ContainerStatus | 'on_quay'

/** Everything that the status depends on. */
export interface StatusSituation {
  /** The steps so far, in order. */
  readonly steps: readonly { readonly step: Step; readonly isAtDestination: boolean }[]
  /** Whether the container goes on by rail, or to another place, after its port of discharge. */
  readonly goesInland: boolean
  /**
   * A railway is named, or a train predicted, that is to carry the container from the port. Its destination may be
   * unknown.
   */
  readonly isRailPlanned: boolean
  /** Whether the container is available where it waits now; null until a source has stated anything about it. */
  readonly available: boolean | null
  /** The customer states that the container was delivered. */
  readonly isDelivered: boolean
  /** The customer states that the container was picked up. It counts once the container has arrived by ship. */
  readonly isPickedUp: boolean
}

/** Null: the step does not move the container. */
const whereaboutsAfter: Readonly<Record<Step, Whereabouts | null>> = {
  empty_out: 'new',
  full_in: 'new',
  feeder_loaded: 'on_ship',
  feeder_departed: 'on_ship',
  feeder_arrived: 'on_ship',
  /**
   * A container that a feeder discharged before it reached the mother vessel is still on its way by ship, as at a
   * transshipment. `currentStatus` makes `on_ship` of it.
   */
  feeder_discharged: 'on_quay',
  vessel_loaded: 'on_ship',
  vessel_departed: 'on_ship',
  transshipment_arrived: 'on_ship',
  transshipment_discharged: 'on_ship',
  transshipment_loaded: 'on_ship',
  transshipment_departed: 'on_ship',
  vessel_arrived: 'on_ship',
  vessel_berthed: 'on_ship',
  vessel_discharged: 'on_quay',
  rail_loaded: 'on_rail',
  rail_departed: 'on_rail',
  rail_arrived: 'on_rail',
  /** The container stays on its vehicle, until it is unloaded or may be picked up. */
  arrived_at_inland_destination: null,
  rail_unloaded: 'on_quay',
  available: null,
  not_available: null,
  full_out: 'picked_up',
  gated_in_off_dock: 'off_dock',
  put_on_truck: 'loaded',
  dropped: 'dropped',
  delivered: 'delivered',
  empty_in: 'empty_returned',
}

export function currentStatus(situation: StatusSituation): ContainerStatus {
  const { steps } = situation
  let whereabouts: Whereabouts = 'new'
  let isExported = false
  let isDischarged = false
  let isInland = false
  let isAtEnd = false
  let isOnTracks = false
  for (const { step, isAtDestination } of steps) {
    isAtEnd ||= step === 'arrived_at_inland_destination'
    const next = whereaboutsAfter[step]
    if (next === null) continue
    const isAtSea = /^(vessel|feeder|transshipment)_/.test(step)
    isExported ||= isAtSea || isAtDestination || step === 'full_out' || step === 'empty_in'
    isDischarged ||= step === 'vessel_discharged'
    isInland ||= isAtDestination
    isOnTracks = !isAtSea && (isOnTracks || next === 'on_rail')
    isAtEnd &&= isAtDestination
    if (!isExported) whereabouts = beforeSailing(next)
    else whereabouts = step === 'feeder_discharged' && !isDischarged ? 'on_ship' : next
  }
  if (situation.isDelivered && whereabouts !== 'empty_returned') return 'delivered'
  const hasArrived = steps.some(({ step }) => /^vessel_(?:arrived|berthed|discharged)$/.test(step))
  if (situation.isPickedUp && hasArrived && mayBePickedUp.has(whereabouts)) return 'picked_up'
  const { goesInland, isRailPlanned, available } = situation
  if (isAtEnd && available === true && isUnderWay.has(whereabouts)) return 'available'
  if (whereabouts !== 'on_quay') return whereabouts
  const awaitsTrain = isRailPlanned && !isOnTracks && available === null
  if ((goesInland || awaitsTrain) && !isInland) return 'awaiting_inland_transfer'
  return available === null ? 'grounded' : available ? 'available' : 'not_available'
}

/** Where a container is that no source has reported as picked up. */
const mayBePickedUp: ReadonlySet<Whereabouts> = new Set<Whereabouts>(['on_ship', 'on_quay', 'on_rail', 'off_dock'])

const isUnderWay: ReadonlySet<Whereabouts> = new Set<Whereabouts>(['on_rail', 'on_ship', 'loaded'])

/**
 * Before sailing, a container on a train to the port is `on_rail`, and a container that waits at the port for export is
 * `new`.
 */
function beforeSailing(whereabouts: Whereabouts): Whereabouts {
  return whereabouts === 'on_quay' ? 'new' : whereabouts
}
