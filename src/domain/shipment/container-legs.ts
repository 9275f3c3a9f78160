/** The places of a container's route, with the times of the believed statements. */

import { callAt } from '../journey/call-slots.ts'
import type { Call } from '../journey/journey.ts'
import { legOf, legStatements } from '../journey/leg.ts'
import type { TripRoute } from '../journey/roles.ts'
import type { ObservedPlace } from '../statements/observation.ts'
import { placeKeyOf } from '../statements/statement.ts'
import type { ContainerProjection, Leg, Milestone, StatedEta } from '../view/projection.ts'
import { hasArrived, lastPodEta } from './pod-etas.ts'

export type Legs = Required<Pick<ContainerProjection, 'portOfLoading' | 'portOfDischarge' | 'podEta' | 'destination'>>

/** The places of the route with their times. The predicted arrival stays after the ship has come. */
export function legsOf(
  { journey, roles, named }: TripRoute,
  milestones: readonly Milestone[],
  before: StatedEta | null,
): Legs {
  const podCall = callAt(journey, roles.pod)
  const portOfDischarge = legOf(podCall, named.portOfDischarge, 'discharge')
  const statedEta = podCall === null ? null : legStatements(podCall, 'discharge').eta
  const podEta = lastPodEta(statedEta, portOfDischarge, {
    before,
    hasArrived: hasArrived(portOfDischarge, milestones),
  })
  const inland = callAt(journey, roles.destination)
  return {
    portOfLoading: legOf(callAt(journey, roles.pol), named.portOfLoading, 'loading'),
    portOfDischarge: { ...portOfDischarge, eta: podEta?.time ?? null },
    podEta,
    destination: roles.goesInland ? destinationLeg(inland, named.placeOfDelivery) : null,
  }
}

/**
 * The destination is the place that the documents name, even when the train unloads the container in another town of
 * its area.
 */
function destinationLeg(call: Call | null, named: ObservedPlace | null): Leg {
  const leg = legOf(call, named, 'inland')
  const isElsewhere = call !== null && named !== null && call.placeKey !== placeKeyOf(named)
  return isElsewhere ? { ...leg, place: named } : leg
}
