/** The estimates of a container: the three milestones that the contract also publishes as estimates. */

import { actualOf, findSlot, isReachedByFeeder } from '../journey/call-slots.ts'
import type { Happening } from '../journey/happenings.ts'
import type { Call } from '../journey/journey.ts'
import type { Roles } from '../journey/roles.ts'
import type { EstimatedMilestoneName, Milestone } from '../view/projection.ts'
import { buildMilestone } from './milestone-of.ts'

/** Nothing that is past is predicted. */
export function readEstimates(
  calls: readonly Call[],
  roles: Roles,
  { happenings, wasFetched }: { readonly happenings: readonly Happening[]; readonly wasFetched: boolean },
): readonly Milestone[] {
  const furthest = happenings.reduce((most, { callIndex }) => Math.max(most, callIndex), -1)
  const found: Milestone[] = []
  const add = (
    name: EstimatedMilestoneName,
    index: number | null,
    keys: readonly string[],
    done: readonly string[],
  ) => {
    const call = index === null ? undefined : calls[index]
    if (call === undefined || index === null || furthest > index) return
    if (done.some((key) => actualOf(call, key) !== null)) return
    const slot = keys.map((key) => findSlot(call, key)).find((candidate) => candidate?.estimate)
    if (slot?.estimate && slot.actual === null) found.push(buildMilestone('estimated', name, call, slot.estimate))
  }
  add('vessel_departed', roles.pol, ['DEPA VESSEL'], ['DEPA VESSEL'])
  const pod = roles.pod === null ? undefined : calls[roles.pod]
  const isByFeeder = pod !== undefined && isReachedByFeeder(pod)
  add('vessel_arrived', roles.pod, isByFeeder ? ['ARRI VESSEL', 'ARRI BARGE'] : ['ARRI VESSEL'], [
    'BERTH VESSEL',
    'DISC LADEN VESSEL',
    'GTOT LADEN GATE',
    ...(isByFeeder ? ['ARRI BARGE', 'DISC LADEN BARGE'] : []),
  ])
  add(
    'arrived_at_inland_destination',
    roles.destination,
    // A container that a truck has fetched from the port no longer comes by train.
    wasFetched ? ['ARRI BARGE', 'ARRI TRUCK'] : ['ARRI RAIL', 'ARRI BARGE', 'ARRI TRUCK'],
    ['ARRI RAIL', 'ARRI BARGE', 'ARRI TRUCK', 'DISC LADEN RAIL', 'AVPU', 'GTOT LADEN GATE'],
  )
  return found
}
