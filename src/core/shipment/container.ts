/**
 * One container's trip as it is served: its journey, and what was said about the box, of each thing the believed
 * statement.
 */

import { callAt, isReachedByFeeder, toldAt } from '../journey/call-slots.ts'
import type { BelievedFact } from '../journey/facts.ts'
import type { Call, Journey } from '../journey/journey.ts'
import { legOf, toldOfLeg } from '../journey/leg.ts'
import { readWay } from '../journey/named-places.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import { type Railways, railwaysOf } from '../journey/railways.ts'
import { assignRoles, type Roles, type Way } from '../journey/roles.ts'
import type { FactClaim, Trip } from '../journey/trip.ts'
import { type MilestoneReading, readMilestones, type TakenStep } from '../milestones/milestones.ts'
import { currentStatus } from '../milestones/status.ts'
import { parseEquipment } from '../shown/equipment.ts'
import type {
  ContainerProjection,
  ContainerStatus,
  JourneyIssue,
  Leg,
  Milestone,
  SaidEta,
} from '../shown/projection.ts'
import type { ProjectionRules } from '../shown/projection-rules.ts'
import { nowhere, type ObservedPlace } from '../statements/observation.ts'
import { placeKeyOf, type Statement } from '../statements/statement.ts'
import { instantOf } from '../values/time.ts'
import { type Availability, readAvailability } from './availability.ts'
import { type BoxFacts, believeBoxFacts, factsOfPickup, isOfBox, sayersOf } from './box-facts.ts'
import type { BoxMaking } from './box-making.ts'
import { contradictedWords } from './contradicted-words.ts'
import { announceEstimates } from './estimates.ts'
import { type Pickup, pickupOf } from './pickup.ts'
import { hasArrived, lastPodEta } from './pod-etas.ts'
import { type PodTerminal, settlePodTerminal } from './pod-terminal.ts'

interface ContainerInput {
  readonly number: string
  readonly ordinal: number
  readonly trip: Trip
  /** True when the bill has no other box. A weight, seal or size stated under the bill can then only be this box's. */
  readonly isOnlyBox: boolean
  /** The average weight of one box, when the line gives only the weight of the whole bill; null otherwise. */
  readonly averageWeightKg: number | null
  /** The trip was over well before anyone asked for this box, so it is not the trip that they wait for. */
  readonly isEarlierTrip: boolean
  readonly previous: ContainerProjection | null
  /** The last predicted arrival at the port of discharge. */
  readonly podEtaBefore: SaidEta | null
  readonly now: string
  readonly rules: ProjectionRules
  readonly areaOf: AreaOf
  /** Called with the parts of the projection, for an explanation of it. */
  readonly record?: (made: BoxMaking) => void
}

export interface ProjectedContainer {
  readonly container: ContainerProjection
  /** What is expected now, whether announced or not. */
  readonly estimates: readonly Milestone[]
  readonly issues: readonly JourneyIssue[]
}

export function projectContainer(input: ContainerInput): ProjectedContainer {
  const { trip, previous, now, rules } = input
  const { journey, named, facts } = readWay(trip)
  const roles = assignRoles(journey, named, input.areaOf)
  const reading = readMilestones(journey, {
    roles,
    isInlandNamed: named.placeOfDelivery !== null,
    areaOf: input.areaOf,
  })
  const { steps } = reading
  const way = { journey, roles, named }
  const atPickup = factsOfPickup(facts, steps)
  const said = believeBoxFacts(facts, { atPickup, isOnlyBox: input.isOnlyBox })
  const podCall = callAt(journey, roles.pod)
  const terminal = settlePodTerminal({ call: podCall, facts, previous, now, rules })
  const railways = railwaysOf(way, said, input.areaOf)
  const pickup = pickupOf(way, { steps, railways, podTerminal: terminal.podTerminal })
  const availability = availabilityAt(pickup, { facts: atPickup, steps, previous })
  const milestones = inOrder(reading, [
    ...availability.milestones,
    ...deliveredMilestones(said.delivered, pickup),
    ...announceEstimates(previous?.milestones ?? [], reading.estimates, rules),
  ])
  const legs = legsOf(way, milestones, input.podEtaBefore)
  const podShip = shipTo(journey, roles)
  const settled = { roles, steps, said, terminal, railways, pickup, availability, milestones, legs, podShip }
  const container = containerOf(input, settled)
  input.record?.({
    container,
    facts,
    factsOfPickup: atPickup,
    isOfBox: (claim) => isOfBox(claim, input.isOnlyBox),
    ...way,
    steps,
    railways,
    podShip,
  })
  const contradicted = contradictedWords({ facts, atPickup, isOnlyBox: input.isOnlyBox })
  const issues = [...journey.issues, ...reading.issues, ...contradicted]
  return { container, estimates: reading.estimates, issues }
}

/** The parts of a container that have been decided, each by its own rules. */
interface Settled {
  readonly roles: Roles
  readonly steps: readonly TakenStep[]
  readonly said: BoxFacts
  readonly terminal: PodTerminal
  readonly railways: Railways
  readonly pickup: Pickup
  readonly availability: Availability
  readonly milestones: readonly Milestone[]
  readonly legs: Legs
  readonly podShip: Statement | null
}

function containerOf(input: ContainerInput, settled: Settled): ContainerProjection {
  const { steps, said, terminal, railways, pickup, availability, legs, podShip } = settled
  return {
    number: input.number,
    trip: input.ordinal,
    status: statusOf(settled),
    equipment: said.equipment === null ? null : parseEquipment(said.equipment.value),
    weightKg: said.weight?.value ?? input.averageWeightKg,
    sealNumber: said.seal?.value ?? null,
    freeTime: {
      line: said.lfdLine?.value ?? null,
      terminal: said.lfdTerminal?.value ?? null,
      rail: said.lfdRail?.value ?? null,
    },
    pickupAppointment: said.appointment?.value ?? null,
    pickupTimeZone: pickup.timeZone,
    available: availability.available,
    holds: said.holds.standing,
    fees: said.fees.standing,
    yardLocation: said.yard?.value ?? null,
    chassisNumber: said.chassis?.value ?? null,
    podTerminal: terminal.podTerminal,
    pickupFacility: pickup.facility,
    podRailCarrier: railways.fromPort?.code ?? null,
    destinationRailCarrier: railways.toEnd?.code ?? null,
    deliveredAt: said.delivered?.value ?? null,
    milestones: settled.milestones,
    portOfLoading: legs.portOfLoading,
    portOfDischarge: legs.portOfDischarge,
    podEta: legs.podEta,
    destination: legs.destination,
    podVessel: podShip?.event.vessel ?? null,
    podVoyage: podShip?.event.voyage ?? null,
    pendingPodTerminal: terminal.pendingPodTerminal,
    saidBy: sayersOf(said, {
      pod_terminal: terminal.source,
      available: availability.milestones.at(-1)?.source ?? null,
    }),
    isTerminated: !input.isEarlierTrip && steps.some(({ step }) => step === 'empty_in'),
  }
}

function statusOf({ steps, roles, said, railways, availability }: Settled): ContainerStatus {
  return currentStatus({
    steps: steps.map(({ step, happening }) => ({
      step,
      isAtDestination: happening.callIndex === roles.destination,
    })),
    goesInland: roles.goesInland,
    isRailPlanned: railways.isPlanned,
    available: availability.available,
    isDelivered: (said.delivered?.value ?? null) !== null,
  })
}

function availabilityAt(
  { callKey, place, port, isOnward }: Pickup,
  {
    facts,
    steps,
    previous,
  }: Pick<ContainerInput, 'previous'> & Pick<Settled, 'steps'> & { readonly facts: readonly FactClaim[] },
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

/** After such a step a box may be picked up. */
function endsCarriage(step: string): boolean {
  return step === 'vessel_discharged' || step === 'rail_unloaded' || step === 'arrived_at_inland_destination'
}

function deliveredMilestones(
  delivered: BelievedFact<'delivered'> | null,
  pickup: Pickup,
): readonly Milestone[] {
  if (delivered === null || delivered.value === null) return []
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
  const steps = new Map(reading.steps.map(({ happening }) => [happening.told.claim.id, happening.at]))
  const placed = [...moved, ...others].map((milestone, index) => ({
    milestone,
    index,
    isExpected: milestone.kind === 'estimated',
    at: steps.get(milestone.claimId) ?? Date.parse(instantOf(milestone.time, milestone.place.timeZone).at),
  }))
  placed.sort((a, b) => Number(a.isExpected) - Number(b.isExpected) || a.at - b.at || a.index - b.index)
  return placed.map(({ milestone }) => milestone)
}

type Legs = Required<
  Pick<ContainerProjection, 'portOfLoading' | 'portOfDischarge' | 'podEta' | 'destination'>
>

/** The places of the route with their times. The predicted arrival stays after the ship has come. */
function legsOf(
  { journey, roles, named }: Way,
  milestones: readonly Milestone[],
  before: SaidEta | null,
): Legs {
  const podCall = callAt(journey, roles.pod)
  const portOfDischarge = legOf(podCall, named.portOfDischarge, 'discharge')
  const toldEta = podCall === null ? null : toldOfLeg(podCall, 'discharge').eta
  const podEta = lastPodEta(toldEta, portOfDischarge, {
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
 * The destination is the place that the documents name, even when the train sets the box down in another town of its
 * area.
 */
function destinationLeg(call: Call | null, named: ObservedPlace | null): Leg {
  const leg = legOf(call, named, 'inland')
  const isElsewhere = call !== null && named !== null && call.placeKey !== placeKeyOf(named)
  return isElsewhere ? { ...leg, place: named } : leg
}

/** The ship that brings the box to the port of discharge: the one named there, else the last one that took the box. */
function shipTo(journey: Journey, roles: Roles): Statement | null {
  const pod = callAt(journey, roles.pod)
  if (pod === null || roles.pod === null) return null
  const feeder = isReachedByFeeder(pod) ? ['DISC LADEN BARGE', 'ARRI BARGE'] : []
  const told = ['DISC LADEN VESSEL', 'ARRI VESSEL', 'BERTH VESSEL', ...feeder].map((key) => toldAt(pod, key))
  const loaded = journey.calls
    .slice(0, roles.pod)
    .toReversed()
    .flatMap((call) => [toldAt(call, 'LOAD LADEN VESSEL'), toldAt(call, 'DEPA VESSEL')])
  return [...told, ...loaded].find((statement) => statement !== null && statement.vesselKey !== null) ?? null
}
