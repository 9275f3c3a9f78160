/**
 * One shipment as its active claims describe it: which containers it has, the events of each, and the facts that hold
 * for all. One step of a fold: `previous` contains earlier publications and pending predictions, `now` is the clock.
 */

import { believedValue, findBelievedFact } from '../journey/facts.ts'
import type { AreaOf } from '../journey/rail-area.ts'
import type { FactClaim, Trip } from '../journey/trip.ts'
import type { ShipmentRequest } from '../journey/trip-choice.ts'
import type { Claim } from '../statements/observation.ts'
import { compareText, placeKeyOf, unknownPlaceKey, vesselKeyOf } from '../statements/statement.ts'
import { addMs } from '../values/time.ts'
import type { ContainerProjection, JourneyIssue, Leg, Milestone, ShipmentProjection } from '../view/projection.ts'
import type { ProjectionRules } from '../view/projection-rules.ts'
import { type ProjectedContainer, projectContainer } from './container.ts'
import type { ContainerDerivation } from './container-derivation.ts'
import { type BillReading, readBill, selectOfOtherShips, selectOvertaken, tripsOfContainer } from './container-trips.ts'
import { selectPublishedEstimates } from './estimates.ts'
import { allFirstEstimates, firstEstimateAt } from './first-estimates.ts'
import { podEtaBefore } from './pod-etas.ts'
import type { SortedClaims } from './read-claims.ts'

export interface ShipmentInput {
  readonly claims: readonly Claim[]
  readonly line: {
    readonly scac: string
    /** Under a bill with several containers, the stated weight is the whole bill's, to be shared evenly. */
    readonly isAverageWeight: boolean
  }
  readonly request: ShipmentRequest
  readonly now: string
  readonly previous: ShipmentProjection | null
  readonly rules: ProjectionRules
  readonly areaOf: AreaOf
  /** Called with the parts of the projection, for an explanation of it. Without it the projection is the same. */
  readonly recorder?: Recorder
}

export interface Recorder {
  readonly container: (made: ContainerDerivation) => void
  /** `shown`: the container that represents the shipment. */
  readonly shipment: (made: {
    readonly facts: readonly FactClaim[]
    readonly displayed: ContainerProjection | null
  }) => void
}

export function projectShipment(input: ShipmentInput): ShipmentProjection {
  const { previous, request, rules } = input
  const knownNumbers = previous?.containers.map(({ number }) => number) ?? []
  const bill = readBill(input.claims, { knownNumbers, now: input.now })
  const { reading, numbers } = bill
  const rowsOf = Map.groupBy(previous?.containers ?? [], ({ number }) => number)
  const projected = numbers.flatMap((number) => projectContainerTrips(number, rowsOf.get(number) ?? [], bill, input))
  const containers = projected.map(({ container }) => container)
  const lead = findLead(containers) ?? null
  const unboxed = lead === null ? projectWithoutContainers(bill, input) : null
  const displayed = lead ?? unboxed?.container ?? null
  const current = projected.find(({ container }) => container === lead) ?? unboxed
  const facts = allFacts(reading)
  const announcedEta = selectPublishedEta(current?.estimates ?? [], previous, rules)
  const all = [...projected, ...(unboxed === null ? [] : [unboxed])]
  const firstEstimates = allFirstEstimates(
    previous,
    new Set(all.flatMap(({ placed }) => placed)),
    all.map((each) => each.firstEstimates),
  )
  const originalOf = (code: 'ARRI' | 'DEPA', modes: readonly string[], leg: Leg | null) =>
    firstEstimateAt(firstEstimates, { trip: displayed?.trip ?? 1, code, modes, leg })
  const destination = displayed?.destination ?? agreedDestination(containers)
  input.recorder?.shipment({ facts, displayed })
  const issues = [...reading.issues, ...all.flatMap((each) => each.issues)]
  return {
    billOfLadingNumber:
      believedValue('bill_of_lading_number', facts) ?? (request.kind === 'bill_of_lading' ? request.number : null),
    bookingNumber: believedValue('booking_number', facts) ?? (request.kind === 'booking' ? request.number : null),
    isBookingCancelled: findBelievedFact('booking_cancelled', facts)?.value ?? false,
    portOfLoading: displayed?.portOfLoading ?? noLeg,
    portOfDischarge: displayed?.portOfDischarge ?? noLeg,
    destination,
    podEta: displayed?.podEta ?? null,
    firstEstimates,
    originalEtd: originalOf('DEPA', ['VESSEL'], displayed?.portOfLoading ?? null),
    originalEta: originalOf('ARRI', ['VESSEL', 'BARGE'], displayed?.portOfDischarge ?? null),
    originalDestinationEta: originalOf('ARRI', ['RAIL', 'BARGE', 'TRUCK', 'VESSEL'], destination),
    announcedEta,
    podVessel: displayed?.podVessel ?? null,
    podVoyage: displayed?.podVoyage ?? null,
    containers,
    issues: distinctIssues(issues),
  }
}

/**
 * The common destination of the containers whose destination is known, when the container that represents the shipment
 * has none.
 */
function agreedDestination(containers: readonly ContainerProjection[]): Leg | null {
  const [first, ...others] = containers.flatMap(({ destination }) => destination ?? [])
  const keyOf = ({ place }: Leg): string => (place === null ? unknownPlaceKey : placeKeyOf(place))
  return first !== undefined && others.every((other) => keyOf(other) === keyOf(first)) ? first : null
}

/** The bill under which the containers travel by the claims; null when the claims do not state one. */
export function findStatedBill(claims: readonly Claim[], now: string): string | null {
  const { reading } = readBill(claims, { knownNumbers: [], now })
  return believedValue('bill_of_lading_number', allFacts(reading))
}

const noLeg = { place: null, etd: null, atd: null, eta: null, ata: null }

/** `rows`: the projections of this container so far. */
function projectContainerTrips(
  number: string,
  rows: readonly ContainerProjection[],
  bill: BillReading,
  input: ShipmentInput,
): readonly ProjectedContainer[] {
  const { numbers } = bill
  const isOnlyContainer = numbers.length === 1
  const { trips, others } = tripsOfContainer(number, bill, { rows, request: input.request })
  const all = [...trips.map((each) => each.trip), ...others]
  const otherIssues = others.flatMap((trip) => otherTripIssues(trip, number))
  return trips.map(({ trip, ordinal, previous }, index) => {
    const result = projectContainer({
      number,
      ordinal,
      trip,
      isOnlyContainer,
      averageWeightKg: averageWeight(trip, numbers.length, input),
      isEarlierTrip: isLongOver(trip, input.request),
      previous,
      podEtaBefore: podEtaBefore(previous ?? previousWithoutContainers(input)),
      overtaken: selectOvertaken({ number, trip }, bill, all),
      ofOtherShips: selectOfOtherShips(trip, bill, all),
      now: input.now,
      rules: input.rules,
      areaOf: input.areaOf,
      ...recordOption(input),
    })
    const issues = [...result.issues, ...strayIssues(trip), ...(index === 0 ? otherIssues : [])]
    return { ...result, issues }
  })
}

const earlierTripMsMin = 7 * 86_400_000

/** A user who requests a container a week after it went back empty requests its next trip. */
function isLongOver(trip: Trip, request: ShipmentRequest): boolean {
  const { kind, requestedAt = null } = request
  if (kind !== 'container' || requestedAt === null || trip.completedAt === null) return false
  return trip.completedAt < Date.parse(requestedAt) - earlierTripMsMin
}

function averageWeight(trip: Trip, containerCount: number, { line }: ShipmentInput): number | null {
  if (!line.isAverageWeight || containerCount < 2) return null
  const whole = findBelievedFact('weight_kg', trip.facts, (_, claim) => claim.observation.equipment === null)
  return whole === null ? null : whole.value / containerCount
}

function otherTripIssues(trip: Trip, number: string): readonly JourneyIssue[] {
  const statementClaims = [...trip.statements, ...trip.strays].map(({ claim }) => claim)
  return [...statementClaims, ...trip.facts, ...trip.strayFacts]
    .filter((claim) => claim.observation.equipment === number)
    .map((claim) => ({
      kind: 'other_trip',
      claimId: claim.id,
      detail: 'said of another trip of the same box',
    }))
}

function strayIssues({ strays, strayFacts }: Trip): readonly JourneyIssue[] {
  const strayClaims = [
    ...strays.map(({ claim, code, placeKey }) => ({ claim, what: `${code} at ${placeKey}` })),
    ...strayFacts.map((claim) => ({ claim, what: claim.observation.fact })),
  ]
  return strayClaims
    .filter(({ claim }) => claim.observation.equipment !== null)
    .map(({ claim, what }) => ({
      kind: 'other_trip',
      claimId: claim.id,
      detail: `${what} is said of the time after the empty return, and shows no other trip`,
    }))
}

/** Before any container is named, the ships' calls under the bill are all that is known. */
function projectWithoutContainers({ reading }: BillReading, input: ShipmentInput): ProjectedContainer {
  return projectContainer({
    number: '',
    ordinal: 1,
    trip: { ...reading.underBill, strays: [], strayFacts: [], completedAt: null, lastActualAt: null },
    isOnlyContainer: false,
    averageWeightKg: null,
    isEarlierTrip: false,
    previous: null,
    podEtaBefore: podEtaBefore(previousWithoutContainers(input)),
    overtaken: reading.overtaken,
    ofOtherShips: [],
    now: input.now,
    rules: input.rules,
    areaOf: input.areaOf,
    ...recordOption(input),
  })
}

/** The shipment as it was before any container of it was named. */
function previousWithoutContainers({ previous }: ShipmentInput): ShipmentProjection | null {
  return previous?.containers.length === 0 ? previous : null
}

function recordOption({ recorder }: ShipmentInput) {
  return recorder === undefined ? {} : { record: recorder.container }
}

/**
 * The container that represents the shipment. Among the latest trips, the largest group on one ship to one port counts:
 * its first container.
 */
function findLead(containers: readonly ContainerProjection[]): ContainerProjection | undefined {
  const lastTrips = new Map<string, number>()
  for (const { number, trip } of containers) lastTrips.set(number, Math.max(trip, lastTrips.get(number) ?? trip))
  const latest = containers.filter(({ number, trip }) => trip === lastTrips.get(number))
  const groups = Map.groupBy(latest, ({ portOfDischarge: { place }, podVessel }) => {
    return `${place === null ? '' : placeKeyOf(place)} ${vesselKeyOf(podVessel) ?? ''}`
  })
  let largest: readonly ContainerProjection[] = []
  for (const group of groups.values()) if (group.length > largest.length) largest = group
  return largest[0]
}

function selectPublishedEta(
  estimates: readonly Milestone[],
  previous: ShipmentProjection | null,
  rules: ProjectionRules,
): Milestone | null {
  const before = previous?.announcedEta ?? null
  const arrival = estimates.filter(({ name }) => name === 'vessel_arrived')
  return selectPublishedEstimates(before === null ? [] : [before], arrival, rules)[0] ?? null
}

function allFacts(reading: SortedClaims): readonly FactClaim[] {
  return [...reading.underBill.facts, ...[...reading.byContainer.values()].flatMap(({ facts }) => facts)]
}

function distinctIssues(issues: readonly JourneyIssue[]): readonly JourneyIssue[] {
  const byKey = new Map(issues.map((issue) => [`${issue.claimId} ${issue.kind} ${issue.detail}`, issue]))
  return [...byKey].toSorted(([a], [b]) => compareText(a, b)).map(([, issue]) => issue)
}

/** When a waiting prediction will have been unchanged for long enough to be believed; null when none waits. */
export function nextTimerAt(projection: ShipmentProjection, rules: ProjectionRules): string | null {
  const ends = projection.containers.flatMap(({ pendingPodTerminal }) =>
    pendingPodTerminal === null ? [] : [addMs(pendingPodTerminal.since, rules.podTerminalDwellMs)],
  )
  return ends.toSorted(compareText)[0] ?? null
}
