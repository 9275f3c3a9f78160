/**
 * Which railway takes a box from its port and which brings it to its end: the named one, else the one that reports its
 * own train.
 */

import type { Claim } from '../statements/observation.ts'
import { actualOf, callAt, findSlot, hasSlot } from './call-slots.ts'
import type { BelievedFact } from './facts.ts'
import type { Call } from './journey.ts'
import { type AreaOf, isNear } from './rail-area.ts'
import type { Way } from './roles.ts'

export interface Railway {
  /** The code that was named, or the code by which we know the railway that spoke: a SCAC or a reporting mark. */
  readonly code: string
  readonly claim: Claim
}

export interface Railways {
  readonly fromPort: Railway | null
  readonly toEnd: Railway | null
  /** A railway is named for the way from the port, or a train is to take the box at the port. */
  readonly isPlanned: boolean
}

interface Named {
  readonly podRail: BelievedFact<'pod_rail_carrier'> | null
  readonly destinationRail: BelievedFact<'destination_rail_carrier'> | null
}

export function railwaysOf({ journey, roles }: Way, said: Named, areaOf: AreaOf): Railways {
  const pod = callAt(journey, roles.pod)
  const end = callAt(journey, roles.destination)
  // A train may leave from a yard beside the port.
  const atPort =
    pod === null || roles.pod === null
      ? []
      : journey.calls.slice(roles.pod).filter(({ placeKey }) => isNear(placeKey, pod.placeKey, areaOf))
  return {
    fromPort: named(said.podRail) ?? atPort.map((call) => tellerOf(call, goings)).find(isThere) ?? null,
    toEnd: named(said.destinationRail) ?? (end === null ? null : tellerOf(end, comings)),
    isPlanned: said.podRail !== null || atPort.some((call) => hasSlot(call, ...goings)),
  }
}

const goings = ['LOAD LADEN RAIL', 'DEPA RAIL']
const comings = ['DISC LADEN RAIL', 'ARRI RAIL']

function named(fact: BelievedFact<'pod_rail_carrier' | 'destination_rail_carrier'> | null): Railway | null {
  return fact === null ? null : { code: fact.value, claim: fact.claim }
}

/** The railway that reports, at first hand, a train of its own. A prediction is no train yet. */
function tellerOf(call: Call, keys: readonly string[]): Railway | null {
  for (const key of keys) {
    const believed = actualOf(call, key)
    const told = [...(believed === null ? [] : [believed]), ...(findSlot(call, key)?.losers ?? [])]
    const own = told.find(
      ({ isActual, claim: { source, hand } }) =>
        isActual && hand === 'first' && source.kind === 'rail' && /^[A-Z]{2,4}$/.test(source.code),
    )
    if (own !== undefined) return { code: own.claim.source.code, claim: own.claim }
  }
  return null
}

function isThere(railway: Railway | null): railway is Railway {
  return railway !== null
}
