/** The facts of one container besides its way: of each the statement that is believed. */

import { type BelievedFact, findBelievedFact } from '../journey/facts.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { JourneyStep } from '../milestones/milestones.ts'
import { type FactRow, factNames, factTable } from '../statements/facts.ts'
import type { FactName, SourceKind } from '../statements/observation.ts'
import { statedAtMsOf } from '../statements/statement.ts'
import { parseEquipment } from '../view/equipment.ts'
import type { ContainerProjection } from '../view/projection.ts'

/** A missing fact: no source has stated anything about it. */
export type ContainerFacts = { readonly [Name in FactName]?: BelievedFact<Name> }

const containerFactNames = factNames.filter((name) => rowOf(name).containerScope !== undefined)

export function resolveContainerFacts(
  facts: readonly FactClaim[],
  { atPickup, isOnlyContainer }: { readonly atPickup: readonly FactClaim[]; readonly isOnlyContainer: boolean },
): ContainerFacts {
  const believed = containerFactNames.flatMap((name) => {
    const { containerScope } = rowOf(name)
    const isAcceptable = (value: unknown, claim: FactClaim): boolean =>
      (containerScope !== 'itself' || isAboutContainer(claim, isOnlyContainer)) &&
      (name !== 'size_type' || parseEquipment(String(value)) !== null)
    const best = findBelievedFact(name, containerScope === 'pickup' ? atPickup : facts, isAcceptable)
    return best === null ? [] : [[name, best] as const]
  })
  return Object.fromEntries(believed)
}

function rowOf(name: FactName): FactRow {
  return factTable[name]
}

/** A statement about the whole bill is about this container only when no other container is under the bill. */
export function isAboutContainer(claim: FactClaim, isOnlyContainer: boolean): boolean {
  return claim.observation.equipment !== null || isOnlyContainer
}

/**
 * Once a container has gone on by rail or barge, the statements of the port's terminal about holds, fees and pick-up no
 * longer hold. Then only the railway's statements count, and all later statements.
 */
export function factsOfPickup(facts: readonly FactClaim[], steps: readonly JourneyStep[]): readonly FactClaim[] {
  const discharge = steps.find(({ step }) => step === 'vessel_discharged')
  if (discharge === undefined) return facts
  const departure = steps.find(
    ({ step, happening }) => /^(rail|feeder)_(loaded|departed)$/.test(step) && happening.at >= discharge.happening.at,
  )
  if (departure === undefined) return facts
  return facts.filter((fact) => fact.source.kind === 'rail' || statedAtMsOf(fact) >= departure.happening.at)
}

/**
 * Which kind of source stated each fact. `others`: the sources of facts that are decided by rules of their own; null
 * where nobody stated it.
 */
export function sourceKindsOf(
  believedFacts: ContainerFacts,
  others: Partial<Record<FactName, SourceKind | null>>,
): ContainerProjection['saidBy'] {
  const stated = containerFactNames.map((name) => [name, believedFacts[name]?.claim.source.kind ?? null] as const)
  return Object.fromEntries([...stated, ...Object.entries(others)].filter(([, kind]) => kind !== null))
}
