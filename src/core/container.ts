/** One container's trip as it is served: its journey, and what was said of the box, each by whom it is believed. */

import { readAvailability } from './availability.ts'
import type { BoxMaking } from './box-making.ts'
import { findSlot, toldAt } from './call-slots.ts'
import { parseEquipment } from './equipment.ts'
import { announceEstimates } from './estimates.ts'
import { type BelievedFact, believe } from './facts.ts'
import type { Call, Journey } from './journey.ts'
import { legOf, toldOfLeg } from './leg.ts'
import { type MilestoneReading, readMilestones } from './milestones.ts'
import { readWay } from './named-places.ts'
import { type FactName, nowhere, type ObservedPlace, type SourceKind } from './observation.ts'
import { hasArrived, lastPodEta } from './pod-etas.ts'
import { settlePodTerminal } from './pod-terminal.ts'
import type { ContainerProjection, JourneyIssue, Milestone, SaidEta } from './projection.ts'
import type { ProjectionRules } from './projection-rules.ts'
import { assignRoles, type NamedPlaces, type Roles } from './roles.ts'
import { placeKeyOf, type Statement, saidAt } from './statement.ts'
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
  const { facts } = trip
  const { journey, named } = readWay(trip)
  const roles = assignRoles(journey, named)
  const reading = readMilestones(journey, roles, named.placeOfDelivery !== null)
  const atPickup = factsOfPickup(facts, reading)
  const podCall = callAt(journey, roles.pod)
  const terminal = settlePodTerminal({ call: podCall, facts, previous, now, rules })
  const pickup = pickupOf(journey, roles, named, terminal.podTerminal)
  const delivered = believe('delivered', facts)
  const fullOut = reading.steps.findLast(({ step }) => step === 'full_out')
  const availability = readAvailability({
    facts: atPickup,
    steps: reading.steps,
    before: previous?.milestones ?? [],
    callKey: pickup.callKey,
    place: pickup.place,
    isWaiting: reading.steps.some(({ step }) => endsCarriage(step)),
    fullOutAt: fullOut?.happening.at ?? null,
  })
  const equipment = believe(
    'size_type',
    facts,
    (value, claim) => isOfBox(input, claim) && parseEquipment(value) !== null,
  )
  const weight = believe('weight_kg', facts, (_, claim) => isOfBox(input, claim))
  const seal = believe('seal_number', facts, (_, claim) => isOfBox(input, claim))
  const lfdLine = believe('pickup_lfd_line', facts)
  const lfdTerminal = believe('pickup_lfd_terminal', facts)
  const lfdRail = believe('pickup_lfd_rail', facts)
  const appointment = believe('pickup_appointment', atPickup)
  const holds = believe('holds', atPickup)
  const fees = believe('fees', atPickup)
  const yard = believe('yard_location', atPickup)
  const chassis = believe('chassis_number', facts)
  const podRail = believe('pod_rail_carrier', facts)
  const destinationRail = believe('destination_rail_carrier', facts)
  const estimates = announceEstimates(previous?.milestones ?? [], reading.estimates, rules)
  const milestones = inOrder(reading, [
    ...availability.milestones,
    ...deliveredMilestones(delivered, pickup),
    ...estimates,
  ])
  const podShip = shipTo(journey, roles)
  const portOfDischarge = legOf(podCall, named.portOfDischarge, 'sea')
  const toldEta = podCall === null ? null : toldOfLeg(podCall, 'sea').eta
  const podEta = lastPodEta(toldEta, portOfDischarge, {
    before: input.podEtaBefore,
    hasArrived: hasArrived(portOfDischarge, milestones),
  })
  const container: ContainerProjection = {
    number: input.number,
    trip: input.ordinal,
    status: currentStatus({
      steps: reading.steps.map(({ step, happening }) => ({
        step,
        isAtDestination: happening.callIndex === roles.destination,
      })),
      goesInland: roles.goesInland,
      available: availability.available,
      isDelivered: (delivered?.value ?? null) !== null,
    }),
    equipment: equipment === null ? null : parseEquipment(equipment.value),
    weightKg: weight?.value ?? input.averageWeightKg,
    sealNumber: seal?.value ?? null,
    freeTime: {
      line: lfdLine?.value ?? null,
      terminal: lfdTerminal?.value ?? null,
      rail: lfdRail?.value ?? null,
    },
    pickupAppointment: appointment?.value ?? null,
    pickupTimeZone:
      pickup.facility?.timeZone ?? podCall?.place.timeZone ?? named.portOfDischarge?.timeZone ?? null,
    available: availability.available,
    holds: holds?.value ?? [],
    fees: fees?.value ?? [],
    yardLocation: yard?.value ?? null,
    chassisNumber: chassis?.value ?? null,
    podTerminal: terminal.podTerminal,
    pickupFacility: pickup.facility,
    podRailCarrier: podRail?.value ?? null,
    destinationRailCarrier: destinationRail?.value ?? null,
    deliveredAt: delivered?.value ?? null,
    milestones,
    portOfLoading: legOf(callAt(journey, roles.pol), named.portOfLoading, 'sea'),
    portOfDischarge: { ...portOfDischarge, eta: podEta?.time ?? null },
    podEta,
    destination: roles.goesInland
      ? legOf(callAt(journey, roles.destination), named.placeOfDelivery, 'inland')
      : null,
    podVessel: podShip?.event.vessel ?? null,
    podVoyage: podShip?.event.voyage ?? null,
    pendingPodTerminal: terminal.pendingPodTerminal,
    saidBy: sayersOf(
      [
        equipment,
        weight,
        seal,
        lfdLine,
        lfdTerminal,
        lfdRail,
        appointment,
        holds,
        fees,
        yard,
        chassis,
        delivered,
      ],
      { pod_terminal: terminal.source, available: availability.milestones.at(-1)?.source ?? null },
    ),
    isTerminated: !input.isEarlierTrip && reading.steps.some(({ step }) => step === 'empty_in'),
  }
  input.record?.({
    container,
    facts,
    factsOfPickup: atPickup,
    isOfBox: (claim) => isOfBox(input, claim),
    named,
    journey,
    roles,
    steps: reading.steps,
    podShip,
  })
  return { container, estimates: reading.estimates, issues: [...journey.issues, ...reading.issues] }
}

function callAt(journey: Journey, index: number | null): Call | null {
  return index === null ? null : (journey.calls[index] ?? null)
}

/**
 * What the port's terminal said of holds, fees and pick-up is no longer so of a box that went on by rail: then only
 * the railway's word counts, and what was said since.
 */
function factsOfPickup(facts: readonly FactClaim[], reading: MilestoneReading): readonly FactClaim[] {
  const discharge = reading.steps.find(({ step }) => step === 'vessel_discharged')
  if (discharge === undefined) return facts
  const left = reading.steps.find(
    ({ step, happening }) =>
      (step === 'rail_loaded' || step === 'rail_departed') && happening.at >= discharge.happening.at,
  )
  if (left === undefined) return facts
  return facts.filter((fact) => fact.source.kind === 'rail' || saidAt(fact) >= left.happening.at)
}

/** From here on a box may be fetched. */
function endsCarriage(step: string): boolean {
  return step === 'vessel_discharged' || step === 'rail_unloaded' || step === 'arrived_at_inland_destination'
}

function isOfBox(input: ContainerInput, claim: FactClaim): boolean {
  return claim.observation.equipment !== null || input.isOnlyBox
}

interface Pickup {
  readonly callKey: string
  readonly place: ObservedPlace
  readonly facility: ObservedPlace | null
}

/** The inland ramp when the box goes on by rail, else the terminal at the port of discharge. */
function pickupOf(
  journey: Journey,
  roles: Roles,
  named: NamedPlaces,
  podTerminal: ObservedPlace | null,
): Pickup {
  const inland = callAt(journey, roles.destination)
  const pod = callAt(journey, roles.pod)
  const goesByRail = journey.calls.some((call, index) => index >= (roles.pod ?? 0) && hasRail(call))
  if (inland !== null && goesByRail) {
    const slot = findSlot(inland, 'DISC LADEN RAIL') ?? findSlot(inland, 'ARRI RAIL')
    const place = (slot?.actual ?? slot?.estimate)?.event.place ?? inland.place
    return { callKey: inland.key, place, facility: place }
  }
  const place = podTerminal ?? pod?.place ?? named.portOfDischarge ?? nowhere
  const callKey = pod?.key ?? `${placeKeyOf(named.portOfDischarge ?? nowhere)}#1`
  return { callKey, place, facility: podTerminal }
}

function hasRail(call: Call): boolean {
  return call.slots.some((slot) => slot.key.endsWith('RAIL'))
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

/** The ship that brings the box to the port of discharge: as told there, else the last one that took it. */
function shipTo(journey: Journey, roles: Roles): Statement | null {
  const pod = callAt(journey, roles.pod)
  if (pod === null || roles.pod === null) return null
  const told = ['DISC LADEN VESSEL', 'ARRI VESSEL', 'BERTH VESSEL'].map((key) => toldAt(pod, key))
  const loaded = journey.calls
    .slice(0, roles.pod)
    .toReversed()
    .flatMap((call) => [toldAt(call, 'LOAD LADEN VESSEL'), toldAt(call, 'DEPA VESSEL')])
  return [...told, ...loaded].find((statement) => statement !== null && statement.vesselKey !== null) ?? null
}

function sayersOf(
  facts: readonly ({ readonly claim: FactClaim } | null)[],
  others: Partial<Record<FactName, SourceKind | null>>,
): ContainerProjection['saidBy'] {
  const said: Partial<Record<FactName, SourceKind>> = {}
  for (const fact of facts) if (fact !== null) said[fact.claim.observation.fact] = fact.claim.source.kind
  if (others.pod_terminal) said.pod_terminal = others.pod_terminal
  if (others.available) said.available = others.available
  return said
}
