/** One container's trip as it is served: its journey, and what was said of the box, each by whom it is believed. */

import { type Availability, readAvailability } from './availability.ts'
import { type BoxFacts, believeBoxFacts, factsOfPickup, isOfBox, sayersOf } from './box-facts.ts'
import type { BoxMaking } from './box-making.ts'
import { callAt, isReachedByFeeder, toldAt } from './call-slots.ts'
import { contradictedWords } from './contradicted-words.ts'
import { parseEquipment } from './equipment.ts'
import { announceEstimates } from './estimates.ts'
import type { BelievedFact } from './facts.ts'
import type { Call, Journey } from './journey.ts'
import { legOf, toldOfLeg } from './leg.ts'
import { type MilestoneReading, readMilestones, type TakenStep } from './milestones.ts'
import { readWay } from './named-places.ts'
import { nowhere, type ObservedPlace } from './observation.ts'
import { type Pickup, pickupOf } from './pickup.ts'
import { hasArrived, lastPodEta } from './pod-etas.ts'
import { type PodTerminal, settlePodTerminal } from './pod-terminal.ts'
import type {
  ContainerProjection,
  ContainerStatus,
  JourneyIssue,
  Leg,
  Milestone,
  SaidEta,
} from './projection.ts'
import type { ProjectionRules } from './projection-rules.ts'
import type { AreaOf } from './rail-area.ts'
import { type Railways, railwaysOf } from './railways.ts'
import { assignRoles, type Roles, type Way } from './roles.ts'
import { placeKeyOf, type Statement } from './statement.ts'
import { currentStatus } from './status.ts'
import { instantOf } from './time.ts'
import type { FactClaim, Trip } from './trip.ts'

interface ContainerInput {
  readonly number: string
  readonly ordinal: number
  readonly trip: Trip
  /** Whether a weight, seal or size stated under the bill can only be this box's. */
  readonly isOnlyBox: boolean
  /** What one box weighs when the line gives but the whole bill's weight, as an average; null otherwise. */
  readonly averageWeightKg: number | null
  /** The trip was over well before anyone asked for this box: it is not what they wait for. */
  readonly isEarlierTrip: boolean
  readonly previous: ContainerProjection | null
  /** What was last foretold of the arrival at the port of discharge. */
  readonly podEtaBefore: SaidEta | null
  readonly now: string
  readonly rules: ProjectionRules
  readonly areaOf: AreaOf
  /** Hears what the projection was made of, for whoever explains it. */
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

/** What has been settled of a container, each part by its own rules. */
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

/** From here on a box may be fetched. */
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

/** What happened, in journey order with the words on availability and delivery among it; then what is expected. */
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

/** The places of the route with their times; what was foretold of the arrival stays when the ship has come. */
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

/** As the papers name it, though the train sets the box down in another town of its area. */
function destinationLeg(call: Call | null, named: ObservedPlace | null): Leg {
  const leg = legOf(call, named, 'inland')
  const isElsewhere = call !== null && named !== null && call.placeKey !== placeKeyOf(named)
  return isElsewhere ? { ...leg, place: named } : leg
}

/** The ship that brings the box to the port of discharge: as told there, else the last one that took it. */
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
