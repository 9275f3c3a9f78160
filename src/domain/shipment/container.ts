/**
 * One container's trip as the API shows it: its journey, and of each fact about the container the believed statement.
 */

import { callAt, isReachedByFeeder, statementAt } from '../journey/call-slots.ts'
import type { BelievedFact } from '../journey/facts.ts'
import type { Journey } from '../journey/journey.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import { type Railways, railwaysOf } from '../journey/railways.ts'
import { readTripRoute } from '../journey/read-way.ts'
import { assignRoles, type Roles } from '../journey/roles.ts'
import type { FactClaim, Trip } from '../journey/trip.ts'
import { type JourneyStep, type MilestoneReading, readMilestones } from '../milestones/milestones.ts'
import { currentStatus } from '../milestones/status.ts'
import { type Fee, type Hold, nowhere } from '../statements/observation.ts'
import type { Statement } from '../statements/statement.ts'
import { instantOf } from '../values/time.ts'
import { parseEquipment } from '../view/equipment.ts'
import type {
  ContainerProjection,
  ContainerStatus,
  FirstEstimates,
  JourneyIssue,
  Milestone,
  StatedEta,
} from '../view/projection.ts'
import type { ProjectionRules } from '../view/projection-rules.ts'
import { type Availability, readAvailability } from './availability.ts'
import type { ContainerDerivation } from './container-derivation.ts'
import {
  type ContainerFacts,
  factsOfPickup,
  isAboutContainer,
  resolveContainerFacts,
  sourceKindsOf,
} from './container-facts.ts'
import { type Legs, legsOf } from './container-legs.ts'
import { firstFreeDaysOf } from './container-trips.ts'
import { findContradictedClaims } from './contradicted-claims.ts'
import { selectPublishedEstimates } from './estimates.ts'
import { firstEstimatesOf } from './first-estimates.ts'
import { type ResolvedList as ResolvedNames, resolveFees, resolveHolds } from './holds-and-fees.ts'
import { type Pickup, pickupOf } from './pickup.ts'
import { type PodTerminal, resolvePodTerminal } from './pod-terminal.ts'

interface ContainerInput {
  readonly number: string
  readonly ordinal: number
  readonly trip: Trip
  /**
   * True when the bill has no other container. A weight, seal or size stated under the bill can then only be this
   * container's.
   */
  readonly isOnlyContainer: boolean
  /** The average weight of one container, when the line gives only the weight of the whole bill; null otherwise. */
  readonly averageWeightKg: number | null
  /** The trip was over well before anyone requested this container, so it is not the requested trip. */
  readonly isEarlierTrip: boolean
  readonly previous: ContainerProjection | null
  /** The last predicted arrival at the port of discharge. */
  readonly podEtaBefore: StatedEta | null
  /** Estimates and facts of this trip that had been replaced when they came. */
  readonly overtaken: Pick<Trip, 'statements' | 'facts'>
  /** Of other ships, under the bill: what was foretold before the container was rolled to its ship. */
  readonly ofOtherShips: readonly Statement[]
  readonly now: string
  readonly rules: ProjectionRules
  readonly areaOf: AreaOf
  /** Called with the parts of the projection, for an explanation of it. */
  readonly record?: (made: ContainerDerivation) => void
}

export interface ProjectedContainer {
  readonly container: ContainerProjection
  /** The current estimates, published or not. */
  readonly estimates: readonly Milestone[]
  readonly firstEstimates: FirstEstimates
  /** Claims of the trip, and of what was overtaken. */
  readonly placed: readonly string[]
  readonly issues: readonly JourneyIssue[]
}

export function projectContainer(input: ContainerInput): ProjectedContainer {
  const { trip, previous, now, rules } = input
  const { journey, named, facts } = readTripRoute(trip)
  const roles = assignRoles(journey, named, input.areaOf)
  const reading = readMilestones(journey, {
    roles,
    isInlandNamed: named.placeOfDelivery !== null,
    areaOf: input.areaOf,
  })
  const { steps } = reading
  const way = { journey, roles, named }
  const atPickup = factsOfPickup(facts, steps)
  const believed = resolveContainerFacts(facts, { atPickup, isOnlyContainer: input.isOnlyContainer })
  const [holds, fees] = [resolveHolds(atPickup), resolveFees(atPickup)]
  const podCall = callAt(journey, roles.pod)
  const terminal = resolvePodTerminal({ call: podCall, facts, previous, now, rules })
  const railways = railwaysOf(way, facts, input.areaOf)
  const pickup = pickupOf(way, { steps, railways, podTerminal: terminal.podTerminal })
  const availability = availabilityAt(pickup, { facts: atPickup, steps, previous })
  const milestones = inOrder(reading, [
    ...availability.milestones,
    ...deliveredMilestones(believed.delivered, pickup),
    ...selectPublishedEstimates(previous?.milestones ?? [], reading.estimates, rules),
  ])
  const legs = legsOf(way, milestones, input.podEtaBefore)
  const podShip = findShipToPod(journey, roles)
  const made = { terminal, railways, pickup, availability, milestones, legs, podShip }
  const resolved = { roles, steps, believed, holds, fees, ...made }
  const container = containerOf(input, resolved)
  input.record?.({
    container,
    facts,
    factsOfPickup: atPickup,
    isAboutContainer: (claim) => isAboutContainer(claim, input.isOnlyContainer),
    ...way,
    steps,
    railways,
    podShip,
  })
  const contradicted = findContradictedClaims({ facts, atPickup, isOnlyContainer: input.isOnlyContainer })
  const issues = [...journey.issues, ...reading.issues, ...contradicted]
  const statements = [...trip.statements, ...input.overtaken.statements, ...input.ofOtherShips]
  const firstEstimates = firstEstimatesOf(input.ordinal, statements)
  const placed = statements.map(({ claim }) => claim.id)
  return { container, estimates: reading.estimates, firstEstimates, placed, issues }
}

/** The parts of a container that have been decided, each by its own rules. */
interface ResolvedParts {
  readonly roles: Roles
  readonly steps: readonly JourneyStep[]
  readonly believed: ContainerFacts
  readonly holds: ResolvedNames<Hold>
  readonly fees: ResolvedNames<Fee>
  readonly terminal: PodTerminal
  readonly railways: Railways
  readonly pickup: Pickup
  readonly availability: Availability
  readonly milestones: readonly Milestone[]
  readonly legs: Legs
  readonly podShip: Statement | null
}

function containerOf(input: ContainerInput, resolved: ResolvedParts): ContainerProjection {
  const { steps, believed, holds, fees, terminal, railways, pickup, availability, legs, podShip } = resolved
  return {
    number: input.number,
    trip: input.ordinal,
    status: statusOf(resolved),
    equipment: believed.size_type === undefined ? null : parseEquipment(believed.size_type.value),
    weightKg: believed.weight_kg?.value ?? input.averageWeightKg,
    ...(believed.verified_gross_mass_kg && {
      verifiedGrossMassKg: believed.verified_gross_mass_kg.value,
    }),
    sealNumber: believed.seal_number?.value ?? null,
    freeTime: {
      line: believed.pickup_lfd_line?.value ?? null,
      terminal: believed.pickup_lfd_terminal?.value ?? null,
      rail: believed.pickup_lfd_rail?.value ?? null,
    },
    ...firstFreeDaysOf([...input.trip.facts, ...input.overtaken.facts], input.previous),
    pickupAppointment: believed.pickup_appointment?.value ?? null,
    pickupTimeZone: pickup.timeZone,
    available: availability.available,
    holds: holds.active,
    fees: fees.active,
    yardLocation: believed.yard_location?.value ?? null,
    chassisNumber: believed.chassis_number?.value ?? null,
    podTerminal: terminal.podTerminal,
    pickupFacility: pickup.facility,
    podRailCarrier: railways.fromPort?.code ?? null,
    destinationRailCarrier: railways.toEnd?.code ?? null,
    deliveredAt: believed.delivered?.value ?? null,
    milestones: resolved.milestones,
    portOfLoading: legs.portOfLoading,
    portOfDischarge: legs.portOfDischarge,
    podEta: legs.podEta,
    destination: legs.destination,
    podVessel: podShip?.event.vessel ?? null,
    podVoyage: podShip?.event.voyage ?? null,
    pendingPodTerminal: terminal.pendingPodTerminal,
    saidBy: sourceKindsOf(believed, {
      holds: holds.latest?.source.kind ?? null,
      fees: fees.latest?.source.kind ?? null,
      pod_terminal: terminal.source,
      available: availability.milestones.at(-1)?.source ?? null,
    }),
    isTerminated: !input.isEarlierTrip && steps.some(({ step }) => step === 'empty_in'),
  }
}

function statusOf({ steps, roles, believed, railways, availability }: ResolvedParts): ContainerStatus {
  return currentStatus({
    steps: steps.map(({ step, happening }) => ({
      step,
      isAtDestination: happening.callIndex === roles.destination,
    })),
    goesInland: roles.goesInland,
    isRailPlanned: railways.isPlanned,
    available: availability.available,
    isDelivered: (believed.delivered?.value ?? null) !== null,
    isPickedUp: believed.picked_up !== undefined,
  })
}

function availabilityAt(
  { callKey, place, port, isOnward }: Pickup,
  {
    facts,
    steps,
    previous,
  }: Pick<ContainerInput, 'previous'> & Pick<ResolvedParts, 'steps'> & { readonly facts: readonly FactClaim[] },
): Availability {
  const fullOut = steps.findLast(({ step }) => step === 'full_out')
  return readAvailability({
    facts,
    steps,
    before: previous?.milestones ?? [],
    spotOf: ({ kind }) => (kind === 'terminal' && port !== null ? port : { callKey, place }),
    isOnward,
    isWaiting: steps.some(({ step }) => endsCarriage(step)),
    fullOutAt: fullOut?.happening.at ?? null,
  })
}

/** After such a step a container may be picked up. */
function endsCarriage(step: string): boolean {
  return step === 'vessel_discharged' || step === 'rail_unloaded' || step === 'arrived_at_inland_destination'
}

function deliveredMilestones(delivered: BelievedFact<'delivered'> | undefined, pickup: Pickup): readonly Milestone[] {
  if (delivered === undefined || delivered.value === null) return []
  return [
    {
      kind: 'actual',
      name: 'delivered',
      callKey: 'delivered#1',
      time: delivered.value,
      place: { ...nowhere, timeZone: pickup.place.timeZone },
      vessel: null,
      voyage: null,
      source: delivered.claim.source.kind,
      claimId: delivered.claim.id,
    },
  ]
}

/** First what happened, in journey order, with availability and delivery in their places; then what is expected. */
function inOrder(reading: MilestoneReading, others: readonly Milestone[]): readonly Milestone[] {
  const moved = reading.milestones.filter(({ name }) => name !== 'available')
  const steps = new Map(reading.steps.map(({ happening }) => [happening.statement.claim.id, happening.at]))
  const placed = [...moved, ...others].map((milestone, index) => ({
    milestone,
    index,
    isExpected: milestone.kind === 'estimated',
    at: steps.get(milestone.claimId) ?? Date.parse(instantOf(milestone.time, milestone.place.timeZone).at),
  }))
  placed.sort((a, b) => Number(a.isExpected) - Number(b.isExpected) || a.at - b.at || a.index - b.index)
  return placed.map(({ milestone }) => milestone)
}

/**
 * The ship that brings the container to the port of discharge: the one named there, else the last one that loaded the
 * container.
 */
function findShipToPod(journey: Journey, roles: Roles): Statement | null {
  const pod = callAt(journey, roles.pod)
  if (pod === null || roles.pod === null) return null
  const feeder = isReachedByFeeder(pod) ? ['DISC LADEN BARGE', 'ARRI BARGE'] : []
  const atPod = ['DISC LADEN VESSEL', 'ARRI VESSEL', 'BERTH VESSEL', ...feeder].map((key) => statementAt(pod, key))
  const loaded = journey.calls
    .slice(0, roles.pod)
    .toReversed()
    .flatMap((call) => [statementAt(call, 'LOAD LADEN VESSEL'), statementAt(call, 'DEPA VESSEL')])
  return [...atPod, ...loaded].find((statement) => statement !== null && statement.vesselKey !== null) ?? null
}
