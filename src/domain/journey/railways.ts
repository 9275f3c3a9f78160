/**
 * Which railway carries a container from its port, and which brings it to its end: the named one, else the one that
 * reports its own train.
 */

import type { Claim } from '../statements/observation.ts'
import { actualOf, callAt, findSlot, hasSlot } from './call-slots.ts'
import { type BelievedFact, findBelievedFact } from './facts.ts'
import type { Call } from './journey.ts'
import { type AreaOf, isNear } from './rail-area.ts'
import type { TripRoute } from './roles.ts'
import type { FactClaim } from './trip.ts'

export interface Railway {
  /**
   * The code that was named, or the code by which we know the railway that made the statement: a SCAC or a reporting
   * mark.
   */
  readonly code: string
  readonly claim: Claim
}

export interface Railways {
  readonly fromPort: Railway | null
  readonly toEnd: Railway | null
  /** A railway is named for the way from the port, or a train is planned to carry the container from the port. */
  readonly isPlanned: boolean
}

export function railwaysOf({ journey, roles }: TripRoute, facts: readonly FactClaim[], areaOf: AreaOf): Railways {
  const [podRail, endRail] = [
    findBelievedFact('pod_rail_carrier', facts),
    findBelievedFact('destination_rail_carrier', facts),
  ]
  const pod = callAt(journey, roles.pod)
  const end = callAt(journey, roles.destination)
  // A train may leave from a yard beside the port.
  const atPort =
    pod === null || roles.pod === null
      ? []
      : journey.calls.slice(roles.pod).filter(({ placeKey }) => isNear(placeKey, pod.placeKey, areaOf))
  return {
    fromPort:
      namedRailway(podRail) ?? atPort.map((call) => reportingRailwayOf(call, goings)).find(isKnownRailway) ?? null,
    toEnd: namedRailway(endRail) ?? (end === null ? null : reportingRailwayOf(end, comings)),
    isPlanned: podRail !== null || atPort.some((call) => hasSlot(call, ...goings)),
  }
}

const goings = ['LOAD LADEN RAIL', 'DEPA RAIL']
const comings = ['DISC LADEN RAIL', 'ARRI RAIL']

function namedRailway(fact: BelievedFact<'pod_rail_carrier' | 'destination_rail_carrier'> | null): Railway | null {
  return fact === null ? null : { code: fact.value, claim: fact.claim }
}

/** The railway that reports, at first hand, a train of its own. A prediction is no train yet. */
function reportingRailwayOf(call: Call, keys: readonly string[]): Railway | null {
  for (const key of keys) {
    const believed = actualOf(call, key)
    const statements = [...(believed === null ? [] : [believed]), ...(findSlot(call, key)?.losers ?? [])]
    const ownTrain = statements.find(
      ({ isActual, claim: { source, hand } }) =>
        isActual && hand === 'first' && source.kind === 'rail' && /^[A-Z]{2,4}$/.test(source.code),
    )
    if (ownTrain !== undefined) return { code: ownTrain.claim.source.code, claim: ownTrain.claim }
  }
  return null
}

function isKnownRailway(railway: Railway | null): railway is Railway {
  return railway !== null
}
