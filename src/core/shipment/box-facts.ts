/** What was said about one box besides its way: of each thing the statement that is believed. */

import { type BelievedFact, believe } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { TakenStep } from '../milestones/milestones.ts'
import { parseEquipment } from '../shown/equipment.ts'
import type { ContainerProjection } from '../shown/projection.ts'
import type { FactName, Fee, Hold, SourceKind } from '../statements/observation.ts'
import { saidAt } from '../statements/statement.ts'
import { type Settled, settleFees, settleHolds } from './holds-and-fees.ts'

/** Null: no source has said anything about it. */
export interface BoxFacts {
  readonly equipment: BelievedFact<'size_type'> | null
  readonly weight: BelievedFact<'weight_kg'> | null
  readonly seal: BelievedFact<'seal_number'> | null
  readonly lfdLine: BelievedFact<'pickup_lfd_line'> | null
  readonly lfdTerminal: BelievedFact<'pickup_lfd_terminal'> | null
  readonly lfdRail: BelievedFact<'pickup_lfd_rail'> | null
  readonly appointment: BelievedFact<'pickup_appointment'> | null
  readonly holds: Settled<Hold>
  readonly fees: Settled<Fee>
  readonly yard: BelievedFact<'yard_location'> | null
  readonly chassis: BelievedFact<'chassis_number'> | null
  readonly podRail: BelievedFact<'pod_rail_carrier'> | null
  readonly destinationRail: BelievedFact<'destination_rail_carrier'> | null
  readonly delivered: BelievedFact<'delivered'> | null
}

export function believeBoxFacts(
  facts: readonly FactClaim[],
  { atPickup, isOnlyBox }: { readonly atPickup: readonly FactClaim[]; readonly isOnlyBox: boolean },
): BoxFacts {
  const isOfThis = (_: unknown, claim: FactClaim) => isOfBox(claim, isOnlyBox)
  const isKnownSize = (code: string, claim: FactClaim) =>
    isOfBox(claim, isOnlyBox) && parseEquipment(code) !== null
  return {
    equipment: believe('size_type', facts, isKnownSize),
    weight: believe('weight_kg', facts, isOfThis),
    seal: believe('seal_number', facts, isOfThis),
    lfdLine: believe('pickup_lfd_line', facts),
    lfdTerminal: believe('pickup_lfd_terminal', facts),
    lfdRail: believe('pickup_lfd_rail', facts),
    appointment: believe('pickup_appointment', atPickup),
    holds: settleHolds(atPickup),
    fees: settleFees(atPickup),
    yard: believe('yard_location', atPickup),
    chassis: believe('chassis_number', facts),
    podRail: believe('pod_rail_carrier', facts),
    destinationRail: believe('destination_rail_carrier', facts),
    delivered: believe('delivered', facts),
  }
}

/** A statement about the whole bill is about this box only when no other box is under the bill. */
export function isOfBox(claim: FactClaim, isOnlyBox: boolean): boolean {
  return claim.observation.equipment !== null || isOnlyBox
}

/**
 * Once a box has gone on by rail or barge, what the port's terminal said about holds, fees and pick-up is no longer
 * true. Then only the railway's statements count, and what was said since.
 */
export function factsOfPickup(
  facts: readonly FactClaim[],
  steps: readonly TakenStep[],
): readonly FactClaim[] {
  const discharge = steps.find(({ step }) => step === 'vessel_discharged')
  if (discharge === undefined) return facts
  const left = steps.find(
    ({ step, happening }) =>
      /^(rail|feeder)_(loaded|departed)$/.test(step) && happening.at >= discharge.happening.at,
  )
  if (left === undefined) return facts
  return facts.filter((fact) => fact.source.kind === 'rail' || saidAt(fact) >= left.happening.at)
}

/**
 * Which kind of source said each fact. `others`: the sources of the terminal and the availability, which are decided by
 * rules of their own.
 */
export function sayersOf(
  said: BoxFacts,
  others: Partial<Record<FactName, SourceKind | null>>,
): ContainerProjection['saidBy'] {
  const sayers: Partial<Record<FactName, SourceKind>> = {}
  for (const fact of [
    said.equipment,
    said.weight,
    said.seal,
    said.lfdLine,
    said.lfdTerminal,
    said.lfdRail,
    said.appointment,
    said.yard,
    said.chassis,
    said.delivered,
  ])
    if (fact !== null) sayers[fact.claim.observation.fact] = fact.claim.source.kind
  if (said.holds.latest !== null) sayers.holds = said.holds.latest.source.kind
  if (said.fees.latest !== null) sayers.fees = said.fees.latest.source.kind
  if (others.pod_terminal) sayers.pod_terminal = others.pod_terminal
  if (others.available) sayers.available = others.available
  return sayers
}
